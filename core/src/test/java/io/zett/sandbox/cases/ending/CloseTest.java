package io.zett.sandbox.cases.ending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxCanceledException;
import io.zett.sandbox.SandboxClosedException;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.cases.outside.Eventually;
import io.zett.sandbox.cases.outside.Sandboxed;
import io.zett.sandbox.cases.outside.Sleepers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** H10: closing may come at any moment, from anywhere and more than once. */
class CloseTest {
  private final Sleepers sleepers = new Sleepers();

  @AfterEach
  void nothingLivesOn() {
    sleepers.assertNone();
  }

  @RepeatedTest(12)
  void closingWhileThreadsStartCommandsCompletesEveryFutureAndLeavesNoProcess() throws Exception {
    SandboxSession session = Sandboxed.session();
    Path workspace = session.workspace();
    List<Future<List<CompletableFuture<SandboxResult>>>> started = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      CountDownLatch go = new CountDownLatch(1);
      for (int i = 0; i < 8; i++) {
        started.add(
            threads.submit(
                () -> {
                  go.await();
                  return List.of(
                      session.runAsync(sleepers.sleep()), session.runAsync("echo quick"));
                }));
      }
      go.countDown();
      LockSupport.parkNanos(new Random().nextLong(50_000_000));
      session.close();
      sleepers.assertNone();
      assertThat(workspace).doesNotExist();
    }
    for (Future<List<CompletableFuture<SandboxResult>>> pair : started) {
      assertEnded(pair.get().get(0), false);
      assertEnded(pair.get().get(1), true);
    }
    assertThatThrownBy(() -> session.run("true")).isInstanceOf(SandboxClosedException.class);
  }

  private static void assertEnded(CompletableFuture<SandboxResult> future, boolean canSucceed)
      throws Exception {
    Throwable[] failure = new Throwable[1];
    SandboxResult result =
        future
            .handle(
                (value, thrown) -> {
                  failure[0] = thrown;
                  return value;
                })
            .get(60, TimeUnit.SECONDS);
    if (result != null) {
      assertThat(canSucceed).isTrue();
      assertThat(result.outcome()).isEqualTo(new Outcome.Exited(0));
      assertThat(result.stdout()).isEqualTo("quick\n");
    } else {
      assertThat(failure[0])
          .isInstanceOfAny(SandboxCanceledException.class, SandboxClosedException.class);
    }
  }

  @Test
  void aRunThatIsUnderWayWhenItsSessionClosesThrowsWithItsPartialResult() throws Exception {
    SandboxSession session = Sandboxed.session();
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    Thread.ofPlatform()
        .start(
            () ->
                thrown.complete(
                    catchThrowable(() -> session.run("echo partial; " + sleepers.sleep()))));
    sleepers.awaitFirst();
    session.close();
    sleepers.assertNone();
    assertThat(thrown.get())
        .isInstanceOfSatisfying(
            SandboxCanceledException.class,
            e -> {
              assertThat(e.reason()).contains("closed");
              assertThat(e.result().orElseThrow().stdout()).isEqualTo("partial\n");
            });
  }

  @Test
  void closingTwiceAndFromManyThreadsIsHarmlessAndEachReturnsWhenItIsDone() throws Exception {
    SandboxSession session = Sandboxed.session();
    Path workspace = session.workspace();
    CompletableFuture<SandboxResult> future = session.runAsync(sleepers.sleep());
    sleepers.awaitFirst();
    List<CompletableFuture<Boolean>> gone = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      CompletableFuture<Boolean> seen = new CompletableFuture<>();
      gone.add(seen);
      Thread.ofPlatform()
          .start(
              () -> {
                session.close();
                seen.complete(sleepers.alive().isEmpty() && !workspace.toFile().exists());
              });
    }
    for (CompletableFuture<Boolean> seen : gone) {
      assertThat(seen.get()).isTrue();
    }
    session.close();
    assertThat(future.handle((_, _) -> "completed").get()).isEqualTo("completed");
  }

  @Test
  void aCallbackMayCloseItsSession() throws Exception {
    SandboxSession session = Sandboxed.session();
    Path workspace = session.workspace();
    CompletableFuture<SandboxResult> other = session.runAsync(sleepers.sleep());
    CompletableFuture<SandboxResult> closing =
        session.runAsync("echo done").whenComplete((_, _) -> session.close());
    assertThat(closing.get(60, TimeUnit.SECONDS).stdout()).isEqualTo("done\n");
    assertThat(session.isOpen()).isFalse();
    assertThat(workspace).doesNotExist();
    Eventually.within(Duration.ofSeconds(30), "the other is cancelled", other::isCancelled);
  }

  @Test
  void aCallbackOfACancelledFutureMayCloseItsSession() throws Exception {
    SandboxSession session = Sandboxed.session();
    CompletableFuture<SandboxResult> future = session.runAsync(sleepers.sleep());
    CompletableFuture<Boolean> closed =
        future.handle(
            (_, _) -> {
              session.close();
              return session.isOpen();
            });
    sleepers.awaitFirst();
    Thread canceling = Thread.ofPlatform().start(() -> future.cancel(true));
    assertThat(closed.get(60, TimeUnit.SECONDS)).isFalse();
    canceling.join();
  }

  @Test
  void closingEndsThoseThatWaitForTheirTurnToo() throws Exception {
    SandboxSession session = SandboxSession.builder().maxConcurrent(2).open();
    Path workspace = session.workspace();
    List<CompletableFuture<SandboxResult>> futures = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      futures.add(session.runAsync(sleepers.sleep()));
    }
    sleepers.awaitFirst();
    session.close();
    assertThat(workspace).doesNotExist();
    for (CompletableFuture<SandboxResult> future : futures) {
      future.handle((_, _) -> "completed").get(60, TimeUnit.SECONDS);
      assertThat(future.isCancelled()).isTrue();
    }
  }

  @Test
  void closingTheLowerSandboxClosesTheSession() {
    SandboxSession session = Sandboxed.session();
    Path workspace = session.workspace();
    session.sandbox().close();
    assertThat(session.isOpen()).isFalse();
    assertThat(workspace).doesNotExist();
    assertThatThrownBy(() -> session.run("true")).isInstanceOf(SandboxClosedException.class);
    session.close();
  }

  /** Close, cancel, interrupt and the command's own end meet at random; each command ends once. */
  @RepeatedTest(4)
  void runAgainstCancelAgainstCloseAgainstExit() throws Exception {
    Random random = new Random();
    SandboxSession session = SandboxSession.builder().maxConcurrent(6).open();
    Path workspace = session.workspace();
    List<CompletableFuture<String>> outcomes = new ArrayList<>();
    List<CompletableFuture<SandboxResult>> futures = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      CompletableFuture<SandboxResult> future =
          session.runAsync(
              Sandboxed.shell("sleep 0.0" + random.nextInt(10), Duration.ofMillis(50)));
      futures.add(future);
      outcomes.add(
          future.handle((result, e) -> result == null ? e.getClass().getSimpleName() : "result"));
      if (random.nextInt(4) == 0) {
        futures.get(random.nextInt(futures.size())).cancel(random.nextBoolean());
      }
      LockSupport.parkNanos(random.nextLong(10_000_000));
    }
    session.close();
    assertThat(workspace).doesNotExist();
    for (int i = 0; i < futures.size(); i++) {
      assertThat(outcomes.get(i).get(60, TimeUnit.SECONDS))
          .isIn("result", "CancellationException", "SandboxCanceledException");
      if (!futures.get(i).isCancelled()) {
        SandboxResult result = futures.get(i).get();
        assertThat(result.outcome())
            .isIn(new Outcome.Exited(0), new Outcome.TimedOut(Duration.ofMillis(50)));
      }
    }
  }
}
