package io.zett.sandbox.cases.confinement;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The longest path decides, whatever the order in which the options were given. */
class RulePrecedenceTest {

  @TempDir Path temporary;
  private Scene scene;

  @BeforeEach
  void scene() throws Exception {
    scene = new Scene(temporary);
  }

  @Test
  void theOrderOfTheOptionsChangesNothing() throws Exception {
    Path directory = scene.workspace.resolve("p");
    Path secret = scene.work("p/secret", "SECRET");
    Path inner = Files.createDirectories(directory.resolve("q"));
    List<Consumer<SandboxSession.Builder>> options =
        List.of(
            builder -> builder.denyWrite(directory),
            builder -> builder.denyRead(secret),
            builder -> builder.writable(inner));
    int[][] orders = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int[] order : orders) {
      SandboxSession.Builder builder = scene.session();
      for (int option : order) {
        options.get(option).accept(builder);
      }
      try (SandboxSession session = builder.open()) {
        SandboxResult result =
            session.run("cat p/secret; (echo x>p/new) && echo new; (echo y>p/q/ok) && echo ok");

        assertThat(result.stdout()).as("order %s", (Object) order).isEqualTo("ok\n");
      }
      assertThat(directory.resolve("new")).doesNotExist();
      Files.delete(inner.resolve("ok"));
    }
  }

  @Test
  void onEqualPathsDenyBeatsAllow() throws Exception {
    Path both = Files.createDirectories(scene.workspace.resolve("both"));
    scene.work("both/file", "SECRET");
    try (SandboxSession session =
        scene.session().denyRead(both).writable(both).allowRead(both).open()) {
      assertThat(session.run("cat both/file; echo x > both/new").stdout()).isEmpty();
    }
    try (SandboxSession session = scene.session().writable(both).denyWrite(both).open()) {
      assertThat(session.run("cat both/file; echo x > both/new").stdout()).isEqualTo("SECRET");
    }
    assertThat(both.resolve("new")).doesNotExist();
  }

  @Test
  void aHiddenDirectoryTakesNoWritesAndShowsNoNames() throws Exception {
    scene.work("priv/name", "SECRET");
    Path hidden = scene.workspace.resolve("priv");
    try (SandboxSession session = scene.session().denyRead(hidden).open()) {
      SandboxResult result =
          session.run(
              """
              echo data > priv/out; echo rc=$?
              ls -A priv; chmod 777 priv; ls -A priv; test -r priv && echo readable
              mv priv p2; rmdir priv; rm -rf priv; cat priv/name
              """);

      assertThat(result.stdout()).isEqualTo("rc=2\n");
    }
    assertThat(hidden.resolve("name")).hasContent("SECRET");
  }

  @Test
  void aHiddenFileLooksUnreadableToEveryProgram() throws Exception {
    Path hidden = scene.work("secret", "SECRET");
    try (SandboxSession session = scene.session().denyRead(hidden).open()) {
      SandboxResult result =
          session.run(
              """
              test -r secret && echo readable; test -w secret && echo writable
              cat secret; cp secret copy; chmod 644 secret; cat secret; ln secret hard; tar c secret
              git init -q . && git add -A; git hash-object secret
              """);

      assertThat(result.stdout()).doesNotContain("SECRET", "readable", "writable");
    }
    assertThat(hidden).hasContent("SECRET");
    assertThat(Unsandboxed.shell(scene.workspace, "grep -rl SECRET .").out())
        .isEqualTo("./secret\n");
  }

  @Test
  void whatIsGivenBackInAHiddenDirectoryIsAllThatIsSeenThere() throws Exception {
    Path hidden = scene.workspace.resolve("priv");
    scene.work("priv/a", "SECRET");
    Path visible = scene.work("priv/deep/b", "seen");
    Path inner = Files.createDirectories(hidden.resolve("w"));
    try (SandboxSession session =
        scene.session().denyRead(hidden).allowRead(visible).writable(inner).open()) {
      SandboxResult result =
          session.run(
              "cat priv/deep/b; cat priv/a; touch priv/n; echo ok > priv/w/f; cat priv/w/f");

      assertThat(result.stdout()).isEqualTo("seenok\n");
    }
  }

  @Test
  void theRestOfTheDiskIsReadableAndNotWritable() throws Exception {
    scene.host("file", "readable");
    String attack = "cat H/file; touch H/new; echo x >> H/file; rm H/file; mv H H2; chmod 777 H";
    try (SandboxSession session = scene.session().open()) {
      SandboxResult result =
          session.run("cd ..; " + attack + "; touch /etc/zett-n /usr/zett-n /zett-n ~/zett-n");

      assertThat(result.stdout()).isEqualTo("readable");
    }
    assertThat(scene.outside.resolve("file")).hasContent("readable");
    assertThat(scene.outside.resolve("new")).doesNotExist();
    for (String at : List.of("/etc/zett-n", "/usr/zett-n", "/zett-n")) {
      assertThat(Path.of(at)).doesNotExist();
    }
  }
}
