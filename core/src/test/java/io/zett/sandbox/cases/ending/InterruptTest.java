package io.zett.sandbox.cases.ending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxCanceledException;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.cases.outside.Eventually;
import io.zett.sandbox.cases.outside.Sandboxed;
import io.zett.sandbox.cases.outside.Sleepers;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** H09: an interrupt ends what its thread runs, and stays to be seen. */
class InterruptTest {
  private final Sleepers sleepers = new Sleepers();

  private record Seen(SandboxCanceledException thrown, boolean flag) {}

  @AfterEach
  void nothingLivesOn() {
    sleepers.assertNone();
    assertThat(Thread.interrupted()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anInterruptEndsTheCommandAndKeepsTheFlagAndThePartialResult(boolean virtual)
      throws Exception {
    try (SandboxSession session = Sandboxed.session()) {
      CompletableFuture<Seen> seen = new CompletableFuture<>();
      Runnable task = () -> seen.complete(canceled(session, "echo partial; " + sleepers.sleep()));
      Thread thread = virtual ? Thread.ofVirtual().start(task) : Thread.ofPlatform().start(task);
      sleepers.awaitFirst();
      thread.interrupt();
      Seen what = seen.get();
      sleepers.assertNone();
      assertThat(what.flag()).isTrue();
      assertThat(what.thrown().reason()).contains("interrupted");
      SandboxResult result = what.thrown().result().orElseThrow();
      assertThat(result.stdout()).isEqualTo("partial\n");
      assertThat(result.outcome()).isInstanceOf(Outcome.Canceled.class);
      assertThat(result.exitCode()).isEqualTo(137);
      assertThat(result.usage().wall()).isPositive();
      thread.join();
      assertThat(session.run("echo again").stdout()).isEqualTo("again\n");
    }
  }

  @Test
  void withTheFlagSetAlreadyNothingStarts() {
    try (SandboxSession session = Sandboxed.session()) {
      Thread.currentThread().interrupt();
      Seen seen = canceled(session, "echo >started; " + sleepers.sleep());
      assertThat(Thread.interrupted()).isTrue();
      assertThat(seen.flag()).isTrue();
      assertThat(seen.thrown().result()).isEmpty();
      assertThat(session.workspace().resolve("started")).doesNotExist();
      assertThat(session.run("echo again").stdout()).isEqualTo("again\n");
    }
  }

  @Test
  void aThreadThatWaitsForItsTurnCanBeInterrupted() throws Exception {
    try (SandboxSession session = SandboxSession.builder().maxConcurrent(1).open()) {
      CompletableFuture<SandboxResult> first = session.runAsync(sleepers.sleep());
      sleepers.awaitFirst();
      CompletableFuture<Seen> seen = new CompletableFuture<>();
      Thread waiting =
          Thread.ofPlatform().start(() -> seen.complete(canceled(session, "echo >started")));
      Eventually.within(
          Duration.ofSeconds(30), "it waits", () -> waiting.getState() == Thread.State.WAITING);
      waiting.interrupt();
      assertThat(seen.get().flag()).isTrue();
      assertThat(seen.get().thrown().result()).isEmpty();
      assertThat(first).isNotDone();
      first.cancel(true);
      assertThat(session.run("echo again").stdout()).isEqualTo("again\n");
      assertThat(session.workspace().resolve("started")).doesNotExist();
    }
  }

  @Test
  void anInterruptedThreadCanStillCloseItsSession() throws Exception {
    SandboxSession session = Sandboxed.session();
    CompletableFuture<SandboxResult> future = session.runAsync(sleepers.sleep());
    sleepers.awaitFirst();
    Thread.currentThread().interrupt();
    session.close();
    sleepers.assertNone();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(session.isOpen()).isFalse();
    assertThat(future.isCancelled()).isTrue();
  }

  @Test
  void anInterruptedThreadCanStillStartCommandsThatOthersWaitFor()
      throws InterruptedException, ExecutionException {
    try (SandboxSession session = Sandboxed.session()) {
      Thread.currentThread().interrupt();
      CompletableFuture<SandboxResult> future = session.runAsync("echo ok");
      assertThat(Thread.interrupted()).isTrue();
      assertThat(future.get().stdout()).isEqualTo("ok\n");
    }
  }

  @Test
  void interruptsAtRandomMomentsNeverLoseTheFlagOrLeaveAProcess() throws Exception {
    try (SandboxSession session = Sandboxed.session()) {
      for (int i = 0; i < 30; i++) {
        CompletableFuture<Boolean> flag = new CompletableFuture<>();
        Thread thread =
            Thread.ofPlatform()
                .start(
                    () -> {
                      try {
                        canceled(session, sleepers.sleep());
                      } finally {
                        flag.complete(Thread.currentThread().isInterrupted());
                      }
                    });
        thread.join(Duration.ofMillis(i));
        thread.interrupt();
        assertThat(flag.get()).isTrue();
        sleepers.assertNone();
      }
      Files.writeString(session.workspace().resolve("f"), "still usable");
      assertThat(session.run("cat f").stdout()).isEqualTo("still usable");
    }
  }

  private static Seen canceled(SandboxSession session, String text) {
    SandboxCanceledException thrown =
        catchThrowableOfType(
            SandboxCanceledException.class,
            () -> session.run(SandboxCommand.shell(text).noTimeout()));
    assertThat(thrown).isNotNull();
    return new Seen(thrown, Thread.currentThread().isInterrupted());
  }
}
