package io.zett.sandbox.cases.confinement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.zett.sandbox.SandboxCanceledException;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A mount goes with the file that it is on: when a denied path is removed or replaced while a
 * command runs, nothing hides or protects what is there then, so the command is ended.
 */
class ReplacedWhileRunningTest {

  @TempDir Path temporary;
  private Scene scene;

  @BeforeEach
  void scene() throws Exception {
    scene = new Scene(temporary);
    scene.work("conf/a/key", "SECRET");
    scene.work("plan", "good");
    scene.work("hooks/x", "good");
    scene.host("store/secret", "SECRET");
    Files.createSymbolicLink(scene.workspace.resolve("link"), scene.outside.resolve("store"));
  }

  private SandboxSession.Builder session() {
    return scene
        .session()
        .denyRead(
            scene.workspace.resolve("conf/a/key"),
            scene.workspace.resolve(".env"),
            scene.outside.resolve("store/secret"))
        .denyWrite(
            scene.workspace.resolve("plan"),
            scene.workspace.resolve("hooks"),
            scene.workspace.resolve("link"));
  }

  /** Starts a command and waits until it runs. */
  private CompletableFuture<SandboxResult> running(SandboxSession session, String text)
      throws Exception {
    Path started = scene.workspace.resolve("started");
    Files.deleteIfExists(started);
    CompletableFuture<SandboxResult> pending = session.runAsync("echo out; : > started; " + text);
    while (!Files.exists(started) && !pending.isDone()) {
      Thread.sleep(2);
    }
    return pending;
  }

  /** What became of it; a future wraps a cancellation into another. */
  private static Throwable ended(CompletableFuture<SandboxResult> pending) {
    Throwable thrown = catchThrowable(pending::join);
    return thrown != null && thrown.getCause() != null ? thrown.getCause() : thrown;
  }

  private static void host(Path at, String line) throws Exception {
    Unsandboxed.End end = Unsandboxed.shell(at, line);
    assertThat(end.status()).as(line + "\n" + end.err()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "echo SECRET > n && mv n conf/a/key",
        "rm -f conf/a/key",
        "mv conf/a/key k",
        "mv conf/a conf/b",
        "mv conf c",
        "rm -rf conf",
        "echo evil > n && mv n plan",
        "rm -f plan; echo evil > plan",
        "mv hooks h",
        "rm -rf hooks",
        "rm link",
        "ln -sfn ../home link",
        "echo SECRET > n && mv -f n .env",
        "rm -f .env",
        "echo SECRET > ../H/store/n && mv ../H/store/n ../H/store/secret",
        "mv ../H/store ../H/s",
        "mv ../H ../I",
      })
  void theCommandIsEnded(String change) throws Exception {
    try (SandboxSession session = session().open()) {
      CompletableFuture<SandboxResult> pending = running(session, "sleep 100");
      host(scene.workspace, change);

      Throwable thrown = ended(pending);
      assertThat(thrown).isInstanceOf(SandboxCanceledException.class);
      SandboxCanceledException canceled = (SandboxCanceledException) thrown;
      assertThat(canceled.reason()).contains(scene.base.toString(), "removed or replaced");
      assertThat(canceled.result().orElseThrow().stdout()).isEqualTo("out\n");
    }
  }

  @Test
  void aCommandThatReplacesALinkOnTheWayToWhatIsDeniedIsEnded() throws Exception {
    try (SandboxSession session = session().open()) {
      for (String attack : List.of("rm link", "mv link l", "ln -sfn / link", "mv -T plain link")) {
        host(scene.workspace, "rm -f link l; ln -s " + scene.outside.resolve("store") + " link");
        Throwable thrown =
            catchThrowable(() -> session.run(": > plain; " + attack + "; sleep 100"));
        assertThat(thrown).as(attack).isInstanceOf(SandboxCanceledException.class);
        assertThat(thrown).hasMessageContaining(scene.workspace.resolve("link").toString());
      }
    }
  }

  @Test
  void whatChangesNothingOfTheProtectionEndsNothing() throws Exception {
    try (SandboxSession session = session().open()) {
      CompletableFuture<SandboxResult> pending =
          running(
              session,
              "i=0; while [ $i -lt 300 ]; do : > f$i; mv f$i g; rm g; i=$((i+1)); done;"
                  + " while [ ! -e done ]; do sleep 0.05; done; cat conf/a/key; echo end");
      host(
          scene.workspace,
          "chmod 600 conf/a/key plan; touch plan conf/a/key; echo SECRET2 >> conf/a/key;"
              + " ln plan p; rm p; : > conf/a/other; mkdir conf/d; rmdir conf/d; mv conf/a/other o;"
              + " touch hooks; echo y > hooks/y; chmod 755 conf hooks; : > ../H/store/other;"
              + " echo more >> ../H/store/secret; setfattr -n user.a -v b plan 2>/dev/null; true");
      session.run("true");
      Files.writeString(scene.workspace.resolve("done"), "");

      assertThat(pending.join().stdout()).isEqualTo("out\nend\n");
    }
  }

  @Test
  void aSecondSessionOfTheSameWorkspaceEndsNothing() throws Exception {
    try (SandboxSession first = session().open();
        SandboxSession second = session().open()) {
      CompletableFuture<SandboxResult> pending =
          running(first, "while [ ! -e done ]; do sleep 0.05; done; echo end");
      for (int i = 0; i < 5; i++) {
        second.run("true");
      }
      Files.writeString(scene.workspace.resolve("done"), "");
      assertThat(pending.join().stdout()).isEqualTo("out\nend\n");
    }
    assertThat(scene.workspace.resolve(".env")).doesNotExist();
  }

  @Test
  void afterwardsTheNextCommandIsProtectedAnew() throws Exception {
    try (SandboxSession session = session().open()) {
      CompletableFuture<SandboxResult> pending = running(session, "sleep 100");
      host(scene.workspace, "echo SECRET > n && mv n conf/a/key");
      assertThat(ended(pending)).isInstanceOf(SandboxCanceledException.class);
      assertThat(session.run("cat conf/a/key; echo $?").stdout()).isEqualTo("1\n");
    }
  }

  @Test
  void aCommonDirectoryThatIsMadeInAGitDirectoryIsRemovedAndEndsTheCommand() throws Exception {
    host(scene.workspace, "git init -q .");
    try (SandboxSession session = scene.session().protectDeveloperFiles().open()) {
      Throwable thrown =
          catchThrowable(() -> session.run("mkdir evil; echo ../evil > .git/commondir; sleep 100"));
      assertThat(thrown).isInstanceOf(SandboxCanceledException.class);
      assertThat(thrown).hasMessageEndingWith(".git/commondir appeared while it ran");
      catchThrowable(() -> session.run("ln -s ../evil .git/commondir"));
      assertThat(scene.workspace.resolve(".git/commondir"))
          .satisfies(file -> assertThat(Files.exists(file, LinkOption.NOFOLLOW_LINKS)).isFalse());
    }
    host(scene.workspace, "git status --porcelain");
  }

  @Test
  void manySessionsShareOneInotifyInstanceAndADefaultOneHasNone() throws Exception {
    try (SandboxSession plain = SandboxSession.builder().open()) {
      plain.run("true");
      assertThat(instances()).isZero();
      List<SandboxSession> sessions = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        sessions.add(session().open());
        sessions.getLast().run("true");
      }
      assertThat(instances()).isOne();
      sessions.forEach(SandboxSession::close);
    }
    assertThat(instances()).isZero();
  }

  private static int instances() throws IOException {
    int count = 0;
    try (Stream<Path> list = Files.list(Path.of("/proc/self/fd"))) {
      for (Path fd : list.toList()) {
        try {
          if (Files.readSymbolicLink(fd).toString().contains("inotify")) {
            count++;
          }
        } catch (IOException gone) {
          // the one that lists
        }
      }
    }
    return count;
  }

  /** The replacement is the last that the command does: it has ended before anybody can end it. */
  @Test
  void aCommandThatIsQuickerThanTheNoticeIsNoSuccess() throws Exception {
    for (int i = 0; i < 20; i++) {
      try (SandboxSession session = session().open()) {
        assertThat(catchThrowable(() -> session.run("exec mv -T link link" + System.nanoTime())))
            .isInstanceOf(SandboxCanceledException.class)
            .hasMessageContaining("removed or replaced");
      }
      Files.createSymbolicLink(scene.workspace.resolve("link"), scene.outside.resolve("store"));
    }
  }
}
