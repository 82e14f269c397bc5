package io.zett.sandbox.cases.confinement;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.SandboxCanceledException;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.SandboxSetupException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Denied paths that do not exist: nothing can be made there, and nothing is left there. */
class MissingPathsTest {

  @TempDir Path temporary;
  private Scene scene;

  @BeforeEach
  void scene() throws Exception {
    scene = new Scene(temporary);
  }

  @Test
  void nothingIsLeftWhereADeniedPathWasMissing() throws Exception {
    try (SandboxSession session =
        scene
            .session()
            .denyRead(scene.workspace.resolve(".env"), scene.workspace.resolve("x/y/z"))
            .denyWrite(
                scene.workspace.resolve(".git/hooks/pre-commit"), scene.outside.resolve("no/such"))
            .open()) {
      assertThat(scene.workspace).isEmptyDirectory();
      assertThat(session.run("ls -A >/dev/null; true").exitCode()).isZero();
      assertThat(scene.workspace).isEmptyDirectory();
      assertThat(session.run("touch made").exitCode()).isZero();
    }
    assertThat(names()).containsExactly("made");
    assertThat(scene.outside).isEmptyDirectory();
  }

  @Test
  void nothingCanBePlantedThere() throws Exception {
    try (SandboxSession session =
        scene
            .session()
            .denyWrite(scene.workspace.resolve(".git"))
            .denyWrite(scene.workspace.resolve(".vscode/tasks.json"))
            .denyRead(scene.workspace.resolve(".env"))
            .open()) {
      session.run(
          """
          mkdir -p .git/hooks && echo 'touch pwn' > .git/hooks/post-checkout
          git init -q .
          mkdir -p .vscode && echo evil > .vscode/tasks.json
          echo evil > .env; ln -sf /etc/hostname .env; ln -s /etc .git/x; mkfifo .env
          mkdir evil; echo evil > evil/tasks.json; mkdir -p evil/hooks
          mv -T evil .git; mv -T evil .vscode; cp -r evil .git; ln -sfn evil .vscode
          mv .vscode gone; mv .git gone; mv .env gone; rm -rf .vscode .git .env
          """);
    }
    assertThat(names()).containsExactly("evil");
  }

  @Test
  void anEmptyRepositoryPlaceholderDoesNotConfuseGit() throws Exception {
    try (SandboxSession session =
        scene.session().denyWrite(scene.workspace.resolve(".git")).open()) {
      SandboxResult result = session.run("git status; echo $?; git init -q r && echo made");

      assertThat(result.stdout()).isEqualTo("128\nmade\n");
      assertThat(result.stderr()).contains("not a git repository");
    }
  }

  @Test
  void whatAKilledProgramLeftIsRemovedByTheNext() throws Exception {
    Path denied = scene.workspace.resolve(".env");
    Unsandboxed.shell(scene.workspace, "mkfifo ready");
    List<String> words =
        Caller.words(
            scene,
            "denyRead=" + denied,
            "denyWrite=" + scene.workspace.resolve(".git/hooks"),
            "run=echo started > ready; exec sleep 1000");
    Process caller = Caller.start(scene, Map.of(), words);
    try {
      assertThat(Files.readString(scene.workspace.resolve("ready"))).isEqualTo("started\n");
    } finally {
      caller.destroyForcibly().waitFor();
    }

    try (SandboxSession session =
        scene.session().denyRead(denied).denyWrite(scene.workspace.resolve(".git/hooks")).open()) {
      assertThat(session.run("echo x > .env; mkdir .git/hooks").succeeded()).isFalse();
    }
    assertThat(names()).containsExactly("ready");
  }

  @Test
  void twoSessionsAndTheHostOnOneWorkspaceDoNotDisturbEachOther() throws Exception {
    Path denied = scene.workspace.resolve(".env");
    AtomicBoolean done = new AtomicBoolean();
    try (SandboxSession one = scene.session().denyRead(denied).open();
        SandboxSession two = scene.session().denyRead(denied).open()) {
      Thread host =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!done.get()) {
                      toggle(denied);
                    }
                  });
      try {
        for (int i = 0; i < 40; i++) {
          List<CompletableFuture<SandboxResult>> both = new ArrayList<>();
          both.add(one.runAsync("true"));
          both.add(two.runAsync("true"));
          both.forEach(MissingPathsTest::ranOrWasRefused);
        }
      } finally {
        done.set(true);
        host.join();
      }
      assertThat(names()).as("after the host removed it in the middle of things").isEmpty();
      Files.writeString(denied, "of the host");
      assertThat(one.run("cat .env").stdout() + two.run("cat .env").stdout()).isEmpty();
      Files.delete(denied);
      assertThat(one.run("true").exitCode() + two.run("true").exitCode()).isZero();
    }
    assertThat(names()).isEmpty();
  }

  /**
   * A file that goes away while a sandbox is built for it, or while a command runs: none may run
   * without its rule.
   */
  private static void ranOrWasRefused(CompletableFuture<SandboxResult> pending) {
    try {
      assertThat(pending.join().exitCode()).isZero();
    } catch (CompletionException e) {
      assertThat(e).hasCauseInstanceOf(SandboxSetupException.class);
    } catch (CancellationException e) {
      assertThat(e)
          .hasCauseInstanceOf(SandboxCanceledException.class)
          .hasStackTraceContaining("removed or replaced");
    }
  }

  @Test
  void aDeniedFileThatTheHostRemovesMeanwhileStopsNothing() throws Exception {
    Path denied = scene.work(".env", "SECRET");
    try (SandboxSession session = scene.session().denyRead(denied).open()) {
      assertThat(session.run("cat .env").stdout()).isEmpty();
      Files.delete(denied);
      assertThat(session.run("echo evil > .env || echo alive").stdout()).isEqualTo("alive\n");
      Files.writeString(denied, "SECRET");
      assertThat(session.run("cat .env || echo alive").stdout()).isEqualTo("alive\n");
    }
    assertThat(denied).hasContent("SECRET");
  }

  /** Makes it and removes it again, unless a placeholder of a session stands there. */
  private static void toggle(Path denied) {
    try {
      Files.writeString(denied, "of the host", StandardOpenOption.CREATE_NEW);
      Files.delete(denied);
    } catch (IOException e) {
      Thread.onSpinWait();
    }
  }

  @Test
  void twoSessionsSideBySideKeepWhatIsMissingProtectedUntilBothAreDone() throws Exception {
    Path denied = scene.workspace.resolve(".env");
    Unsandboxed.shell(scene.workspace, "mkfifo ready go");
    try (SandboxSession one = scene.session().denyRead(denied).open();
        SandboxSession two = scene.session().denyRead(denied).open()) {
      CompletableFuture<SandboxResult> long1 =
          one.runAsync("echo x > ready; cat go; echo evil > .env");
      assertThat(Files.readString(scene.workspace.resolve("ready"))).isEqualTo("x\n");
      for (int i = 0; i < 5; i++) {
        assertThat(two.run("echo evil > .env").succeeded()).isFalse();
      }
      Files.writeString(scene.workspace.resolve("go"), "");
      assertThat(long1.join().succeeded()).isFalse();
      assertThat(denied).doesNotExist();
    }
  }

  @Test
  void aMissingCredentialStaysProtectedWhenAnotherProgramIsDoneWithIt() throws Exception {
    Unsandboxed.shell(scene.workspace, "mkfifo one two ready1 ready2");
    Map<String, String> home = Map.of("HOME", scene.workspace.toString());
    String attempt = "; echo evil > .netrc || echo refused";
    Process first =
        Caller.start(scene, home, Caller.words(scene, "run=echo x > ready1; cat one" + attempt));
    Files.readString(scene.workspace.resolve("ready1"));
    Process second =
        Caller.start(scene, home, Caller.words(scene, "run=echo x > ready2; cat two" + attempt));
    Files.readString(scene.workspace.resolve("ready2"));

    Files.writeString(scene.workspace.resolve("one"), "");
    assertThat(Unsandboxed.end(first).out()).isEqualTo("refused\n");
    Files.writeString(scene.workspace.resolve("two"), "");
    assertThat(Unsandboxed.end(second).out()).isEqualTo("refused\n");
    assertThat(names()).containsExactly("one", "ready1", "ready2", "two");
  }

  private List<String> names() throws Exception {
    try (Stream<Path> files = Files.list(scene.workspace)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
