package io.zett.sandbox.cases.ending;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.cases.outside.Sandboxed;
import io.zett.sandbox.cases.outside.Sleepers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** H07, H12: a deadline ends a whole tree, whatever it does against that, exactly once. */
class DeadlineTest {
  private static final Duration SHORT = Duration.ofMillis(700);

  @TempDir Path temporary;
  private final Sleepers sleepers = new Sleepers();

  @ParameterizedTest
  @EnumSource(names = {"BUBBLEWRAP", "PASSTHROUGH"})
  void aCommandThatIgnoresEverySignalEndsAtItsDeadline(SandboxBackend backend) {
    SandboxResult result =
        timedOut(backend, "trap '' TERM INT HUP; echo on; " + sleepers.sleep(), SHORT);
    assertThat(result.stdout()).isEqualTo("on\n");
  }

  @ParameterizedTest
  @EnumSource(names = {"BUBBLEWRAP", "PASSTHROUGH"})
  void aStoppedCommandEndsAtItsDeadline(SandboxBackend backend) {
    timedOut(backend, sleepers.sleep() + " & kill -STOP $!; kill -STOP $$; echo never", SHORT);
  }

  @ParameterizedTest
  @EnumSource(names = {"BUBBLEWRAP", "PASSTHROUGH"})
  void aCommandWithoutAShellEndsAtItsDeadline(SandboxBackend backend) {
    try (SandboxSession session = Sandboxed.session(backend)) {
      SandboxResult result =
          session.run(SandboxCommand.of("sleep", sleepers.argument()).timeout(SHORT));
      sleepers.assertNone();
      assertThat(result.outcome()).isEqualTo(new Outcome.TimedOut(SHORT));
      assertThat(result.exitCode()).isEqualTo(137);
      assertThat(result.usage().wall()).isBetween(SHORT, Duration.ofSeconds(20));
    }
  }

  @Test
  void aCommandInASandboxIsNoFirstProcessAndDiesOfASignal() {
    // As pid 1 it would be deaf to what it does not handle (pid_namespaces(7)).
    try (SandboxSession session = Sandboxed.session()) {
      SandboxResult result = session.run("kill -TERM $$; echo deaf");
      assertThat(result.outcome()).isEqualTo(new Outcome.Signaled(15));
      assertThat(result.stdout()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"BUBBLEWRAP", "PASSTHROUGH"})
  void aFloodOfOutputDoesNotDelayTheDeadline(SandboxBackend backend) {
    try (SandboxSession session = Sandboxed.session(backend)) {
      SandboxResult result =
          session.run(Sandboxed.shell("yes & yes >&2 & yes", SHORT).maxOutputBytes(1000));
      assertThat(result.timedOut()).isTrue();
      assertThat(result.usage().wall()).isBetween(SHORT, Duration.ofSeconds(20));
      assertThat(result.stdoutBytes()).hasSize(1000);
      assertThat(result.stderrBytes()).hasSize(1000);
      assertThat(result.stdoutTotalBytes()).isGreaterThan(1000);
    }
  }

  @Test
  void anInputThatNeverComesDoesNotDelayTheDeadline() {
    CountDownLatch over = new CountDownLatch(1);
    InputStream silent =
        new InputStream() {
          @Override
          public int read() throws IOException {
            try {
              over.await();
              return -1;
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
          }
        };
    try (SandboxSession session = Sandboxed.session()) {
      SandboxResult result = session.run(Sandboxed.shell("cat", SHORT).input(silent));
      assertThat(result.timedOut()).isTrue();
    } finally {
      over.countDown();
    }
  }

  @Test
  void outputBeforeTheDeadlineIsKept() {
    SandboxResult result =
        timedOut(
            SandboxBackend.BUBBLEWRAP,
            "head -c 500000 /dev/zero; echo END; echo err >&2; " + sleepers.sleep(),
            Duration.ofMillis(1500));
    assertThat(result.stdoutBytes()).hasSize(500_004).endsWith("END\n".getBytes(UTF_8));
    assertThat(result.stderr()).isEqualTo("err\n");
  }

  @Test
  void theTimeBeginsWithTheCommandAndNotWithItsSandbox() throws IOException {
    // Many masks take a while to mount.
    List<Path> denied = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      denied.add(Files.createFile(temporary.resolve("denied" + i)));
    }
    try (SandboxSession session = SandboxSession.builder().denyRead(denied).open()) {
      SandboxResult result =
          session.run(Sandboxed.shell("sleep 0.2; echo ran", SHORT.multipliedBy(20)));
      assertThat(result.stdout()).isEqualTo("ran\n");
      assertThat(result.usage().wall()).isGreaterThan(Duration.ofMillis(150));
      assertThat(result.usage().setup()).isPositive();
      Duration all = Sandboxed.timed(() -> session.run(Sandboxed.shell("sleep 0.2", SHORT)));
      assertThat(all).isGreaterThan(Duration.ofMillis(200));
    }
  }

  @Test
  void theLongestDurationIsATimeLimit() {
    Duration longest = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
    try (SandboxSession session = SandboxSession.builder().timeout(longest).open()) {
      assertThat(session.run("echo hi").stdout()).isEqualTo("hi\n");
      assertThat(session.run(SandboxCommand.of("true").timeout(longest)).succeeded()).isTrue();
      assertThat(
              session
                  .run(SandboxCommand.of("true").timeout(Duration.ofNanos(Long.MAX_VALUE)))
                  .succeeded())
          .isTrue();
    }
  }

  @Test
  void theShortestDurationIsATimeLimit() {
    try (SandboxSession session = Sandboxed.session()) {
      SandboxResult result =
          session.run(SandboxCommand.of("sleep", sleepers.argument()).timeout(Duration.ofNanos(1)));
      sleepers.assertNone();
      assertThat(result.timedOut()).isTrue();
      assertThat(result.stdout()).isEmpty();
    }
  }

  @Test
  void theSessionsTimeLimitCountsForEachCommandAndACommandsOwnWins() {
    try (SandboxSession session = SandboxSession.builder().timeout(SHORT).open()) {
      assertThat(session.run(sleepers.sleep()).outcome()).isEqualTo(new Outcome.TimedOut(SHORT));
      Duration own = Duration.ofMillis(200);
      assertThat(session.run(Sandboxed.shell(sleepers.sleep(), own)).outcome())
          .isEqualTo(new Outcome.TimedOut(own));
      assertThat(session.run(SandboxCommand.shell("sleep 1.5; echo ok").noTimeout()).stdout())
          .isEqualTo("ok\n");
      sleepers.assertNone();
    }
  }

  /**
   * Each command ends by itself right at its deadline. Whoever was ended for its time says so and
   * has not reached its end; whoever reached it exited with its own status.
   */
  @Test
  void aCommandThatEndsRightAtItsDeadlineTimedOutIfAndOnlyIfItWasKilled() throws Exception {
    int each = 12;
    int timedOut = 0;
    int exited = 0;
    try (SandboxSession session = Sandboxed.session();
        ExecutorService threads = Executors.newFixedThreadPool(10)) {
      List<Future<List<SandboxResult>>> all = new ArrayList<>();
      for (int thread = 0; thread < 10; thread++) {
        int offset = thread;
        all.add(threads.submit(() -> atTheirDeadline(session, each, offset)));
      }
      for (Future<List<SandboxResult>> some : all) {
        for (SandboxResult result : some.get()) {
          if (result.timedOut()) {
            timedOut++;
            assertThat(result.exitCode()).isEqualTo(137);
          } else {
            exited++;
            assertThat(result.outcome()).isEqualTo(new Outcome.Exited(7));
            assertThat(result.stdout()).isEqualTo("begin\nend\n");
          }
        }
      }
    }
    assertThat(timedOut + exited).isEqualTo(10 * each);
    assertThat(timedOut).isPositive();
    sleepers.assertNone();
  }

  private static List<SandboxResult> atTheirDeadline(
      SandboxSession session, int count, int offset) {
    List<SandboxResult> results = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Duration limit = Duration.ofMillis(60 + 20L * ((i + offset) % 12));
      results.add(session.run(Sandboxed.shell("echo begin; sleep 0.1; echo end; exit 7", limit)));
    }
    return results;
  }

  private SandboxResult timedOut(SandboxBackend backend, String text, Duration limit) {
    try (SandboxSession session = Sandboxed.session(backend)) {
      SandboxResult result = session.run(Sandboxed.shell(text, limit));
      sleepers.assertNone();
      assertThat(result.outcome()).isEqualTo(new Outcome.TimedOut(limit));
      assertThat(result.exitCode()).isEqualTo(137);
      assertThat(result.usage().wall()).isBetween(limit, Duration.ofSeconds(30));
      return result;
    }
  }
}
