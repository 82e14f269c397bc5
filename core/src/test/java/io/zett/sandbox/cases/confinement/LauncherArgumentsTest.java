package io.zett.sandbox.cases.confinement;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Words of a command or a policy that look like options are never the launcher's. */
class LauncherArgumentsTest {

  @TempDir Path temporary;
  private Scene scene;

  @BeforeEach
  void scene() throws Exception {
    scene = new Scene(temporary);
  }

  @Test
  void aCommandThatBeginsLikeAnOptionIsAProgramOfThatName() {
    try (SandboxSession session = scene.session().open()) {
      for (List<String> words :
          List.of(
              List.of("--bind", "/", "/", "sh", "-c", "touch /zett-pwn"),
              List.of("--dev-bind", "/", "/", "touch", "/zett-pwn"),
              List.of("-c", "x"),
              List.of("--", "ls"),
              List.of("--args", "3"),
              List.of("pid1", "6", "7"))) {
        SandboxResult result = session.run(words);

        assertThat(result.exitCode()).as("%s", words).isEqualTo(127);
        assertThat(result.stdout()).isEmpty();
        assertThat(result.stderr()).contains(words.getFirst(), "not found");
      }
    }
    assertThat(Path.of("/zett-pwn")).doesNotExist();
  }

  @Test
  void aProgramOfSuchANameInThePathIsRun() throws Exception {
    scene.work("--bind", "#!/bin/sh\necho ran \"$@\"\n").toFile().setExecutable(true);
    try (SandboxSession session = scene.session().env("PATH", ".:/usr/bin:/bin").open()) {
      assertThat(session.run(List.of("--bind", "/", "--share-net")).stdout())
          .isEqualTo("ran / --share-net\n");
    }
  }

  @Test
  void argumentsAndShellTextsArriveAsTheyAre() {
    List<String> odd =
        List.of(
            "--", "-", "", " ", "a b", "'", "\"", "$HOME", "`id`", "*", "\n", "\t", "\\", "ü😀");
    try (SandboxSession session = scene.session().open()) {
      SandboxResult result =
          session.run(
              java.util.stream.Stream.concat(
                      java.util.stream.Stream.of("/usr/bin/printf", "%s|"), odd.stream())
                  .toList());
      assertThat(result.stdout()).isEqualTo(String.join("|", odd) + "|");
      assertThat(session.run("-x; echo after").stdout()).isEqualTo("after\n");
      assertThat(session.run("--help").exitCode()).isEqualTo(127);
    }
  }

  @Test
  void directoriesOfSuchNamesAreDirectories() throws Exception {
    Path option = Files.createDirectories(scene.outside.resolve("--share-net"));
    Path secret = scene.work("--bind/secret", "SECRET");
    Files.createDirectory(scene.workspace.resolve("-x"));
    try (SandboxSession session = scene.session().writable(option).denyRead(secret).open()) {
      SandboxCommand command =
          SandboxCommand.shell("pwd; cat ../--bind/secret; echo x > '" + option + "/new'")
              .cwd(Path.of("-x"));
      assertThat(session.run(command).stdout()).isEqualTo(scene.workspace + "/-x\n");
      assertThat(session.run("cat /proc/net/dev").stdout()).doesNotContain("eth0:");
    }
    assertThat(option.resolve("new")).hasContent("x");
  }
}
