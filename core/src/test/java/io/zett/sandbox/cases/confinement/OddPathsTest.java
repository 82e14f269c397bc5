package io.zett.sandbox.cases.confinement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.SandboxSetupException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths of a policy that are missing, oddly written, or very many: never silently dropped. */
class OddPathsTest {

  @TempDir Path temporary;
  private Scene scene;

  @BeforeEach
  void scene() throws Exception {
    scene = new Scene(temporary);
  }

  @Test
  void aMissingWritableDirectoryIsRefusedAtOpen() throws Exception {
    Path file = scene.host("file", "");
    for (Path path : List.of(scene.base.resolve("no/such"), file, file.resolve("below"))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> scene.session().writable(path).open())
          .withMessageContaining("writable")
          .withMessageContaining(path.toString());
    }
  }

  @Test
  void aTildeAndAnEmptyPathAreRefusedWithTheMend() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scene.session().denyRead(Path.of("~/.ssh")))
        .withMessageContaining("user.home");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scene.session().writable(Path.of("~")))
        .withMessageContaining("user.home");
    assertThatIllegalArgumentException().isThrownBy(() -> scene.session().denyRead(Path.of("")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"%s/sub/key", "%s/sub/key/", "%s//sub/./key", "%s/sub/../sub/key"})
  void howADeniedPathIsWrittenMakesNoDifference(String form) throws Exception {
    scene.work("sub/key", "SECRET");
    Path given = Path.of(form.formatted(scene.workspace));
    try (SandboxSession session = scene.session().denyRead(given).open()) {
      for (String at : List.of(".", "sub", "/", scene.base.toString())) {
        SandboxResult result =
            session.run(
                SandboxCommand.shell(
                        "cat key sub/key ../sub/key; cat " + scene.workspace + "/sub/key")
                    .cwd(Path.of(at)));
        assertThat(result.stdout()).as("from %s", at).isEmpty();
      }
    }
  }

  @Test
  void aRelativePathIsTheCallersAndNotTheCommands() throws Exception {
    Path key = scene.work("sub/key", "SECRET");
    Path relative = Path.of("").toAbsolutePath().relativize(key);
    try (SandboxSession session = scene.session().denyRead(relative).open()) {
      assertThat(session.run("cat sub/key").stdout()).isEmpty();
      assertThat(session.run(SandboxCommand.shell("cat key").cwd(Path.of("sub"))).stdout())
          .isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"with space", "--bind", "new\nline", "quo'te\"", "ümlaut", "*", "\\x"})
  void anyNameCanBeDeniedAndGranted(String name) throws Exception {
    Path secret = scene.work(name + "/secret", "SECRET");
    Path granted = Files.createDirectories(scene.outside.resolve(name));
    try (SandboxSession session = scene.session().denyRead(secret).writable(granted).open()) {
      SandboxResult result =
          session.run(
              List.of("sh", "-c", "cat \"./$1/secret\"; echo x > \"../H/$1/new\"", "sh", name));
      assertThat(result.stdout()).isEmpty();
    }
    assertThat(granted.resolve("new")).hasContent("x");
  }

  @Test
  void hundredsOfDeniedFilesAreAllHidden() throws Exception {
    List<Path> denied = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      denied.add(scene.work("n/" + i + ".env", "SECRET"));
    }
    try (SandboxSession session = scene.session().denyRead(denied).open()) {
      assertThat(session.run("cat n/*; echo done").stdout()).isEqualTo("done\n");
    }
  }

  @Test
  void moreRulesThanTheLauncherTakesAreRefusedAtOpen() throws Exception {
    List<Path> denied = new ArrayList<>();
    for (int i = 0; i < 3_100; i++) {
      denied.add(scene.work("n/" + i % 50 + "/" + i + ".env", "SECRET"));
    }
    assertThatExceptionOfType(SandboxSetupException.class)
        .isThrownBy(() -> scene.session().denyRead(denied).open())
        .withMessageContaining("too many rules")
        .withMessageContaining("deny a directory");
    // Within one hidden directory they cost nothing.
    try (SandboxSession session =
        scene.session().denyRead(denied).denyRead(scene.workspace.resolve("n")).open()) {
      assertThat(session.run("cat n/0/0.env n/49/3099.env; echo done").stdout())
          .isEqualTo("done\n");
    }
  }

  @Test
  void theSameRuleAThousandsTimesIsOneRule() throws Exception {
    Path key = scene.work("key", "SECRET");
    try (SandboxSession session =
        scene.session().denyRead(Collections.nCopies(5_000, key)).open()) {
      assertThat(session.run("cat key; echo done").stdout()).isEqualTo("done\n");
    }
  }
}
