package io.zett.sandbox.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxCanceledException;
import io.zett.sandbox.SandboxClosedException;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.cases.outside.Eventually;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A command that writes, says so, and waits for a line; and what happens to it. Its three steps,
 * starting, what comes between, and judging, are each done by one thread.
 */
final class Racer {
  /** What tries to end it, beside its own exit and the closing of the session. */
  enum Way {
    NOTHING,
    CANCEL,
    INTERRUPT,
    TIME_LIMIT
  }

  private static final int CODE = 7;
  private static final String REST = "rest\n";
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final long SPREAD_NANOS = Duration.ofMillis(12).toNanos();

  private final SandboxSession session;
  private final Way way;
  private final Path ready;
  private final Numbers numbers;
  private final Gate gate = new Gate();
  private final SandboxCommand command;
  private final Duration limit;
  private final boolean isOpened;
  private final boolean isAsynchronous;
  private final long gateNanos;
  private final long actNanos;
  private final CountDownLatch started = new CountDownLatch(1);
  private final AtomicInteger ends = new AtomicInteger();
  private final CompletableFuture<End> end = new CompletableFuture<>();
  private @Nullable CompletableFuture<SandboxResult> future;
  private @Nullable Thread thread;
  private boolean wasReady;
  private volatile boolean isInterrupted;
  private volatile boolean isCanceled;

  Racer(SandboxSession session, Way way, int number, String mark, Random random) {
    this.session = session;
    this.way = way;
    ready = session.workspace().resolve("ready-" + number);
    numbers = new Numbers(number, number + random.nextInt(200));
    // Whatever else should end it, its own exit may come first.
    isOpened = way == Way.NOTHING || random.nextInt(4) > 0;
    isAsynchronous = way != Way.INTERRUPT && (way == Way.CANCEL || random.nextBoolean());
    gateNanos = random.nextLong(SPREAD_NANOS);
    actNanos = random.nextLong(SPREAD_NANOS);
    limit = way == Way.TIME_LIMIT ? Duration.ofMillis(30 + random.nextInt(150)) : PATIENCE;
    String text = numbers.shell() + "; : >" + ready + "; read line; echo rest; exit " + CODE;
    command = SandboxCommand.of("sh", "-c", text, "sh", mark).input(gate).timeout(limit);
  }

  void start() {
    if (isAsynchronous) {
      CompletableFuture<SandboxResult> begun = session.runAsync(command);
      begun.whenComplete((result, thrown) -> ended(new End(result, thrown, false)));
      future = begun;
    } else {
      thread = Thread.ofVirtual().start(() -> ended(End.ofRun(session, command)));
    }
    started.countDown();
  }

  private void ended(End how) {
    ends.incrementAndGet();
    end.complete(how);
  }

  /** Waits until it has written its first part, unless it has come to its end before. */
  void awaitReady() {
    Eventually.within(
        PATIENCE, "a command is ready or over", () -> Files.exists(ready) || end.isDone());
    wasReady = Files.exists(ready);
  }

  /** Lets it exit, and does to it what is to be done, in one order or the other. */
  void provoke() {
    try {
      started.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    if (gateNanos < actNanos) {
      letExit(gateNanos);
      act(actNanos - gateNanos);
    } else {
      act(actNanos);
      letExit(gateNanos - actNanos);
    }
  }

  private void letExit(long delayNanos) {
    LockSupport.parkNanos(delayNanos);
    if (isOpened) {
      gate.open();
    }
  }

  private void act(long delayNanos) {
    LockSupport.parkNanos(delayNanos);
    if (way == Way.CANCEL && future != null) {
      isCanceled = future.cancel(true);
    } else if (way == Way.INTERRUPT && thread != null) {
      isInterrupted = true;
      thread.interrupt();
    }
  }

  /** Fails unless it ended once and in a way that something of what happened explains. */
  void verify(boolean wasClosed, Tally tally) throws Exception {
    End how = end.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(ends).hasValue(1);
    if (isCanceled) { // by us, or by closing before
      assertThat(how.thrown()).isInstanceOf(CancellationException.class);
    }
    if (how.thrown() != null && how.thrown().getClass() == CancellationException.class) {
      assertThat(isCanceled).as("cancelled by us").isTrue();
      tally.count("cancelled");
    } else if (how.result() != null) {
      verifyResult(how.result(), tally);
    } else if (how.thrown() instanceof SandboxClosedException) {
      assertThat(wasClosed).as("closed").isTrue();
      assertThat(wasReady).as("it had begun").isFalse();
      tally.count("refused");
    } else if (how.thrown() instanceof SandboxCanceledException canceled) {
      verifyCanceled(canceled, how.wasInterrupted(), wasClosed, tally);
    } else {
      throw new AssertionError("no right end", how.thrown());
    }
  }

  private void verifyResult(SandboxResult result, Tally tally) {
    if (way == Way.TIME_LIMIT && result.timedOut()) {
      assertThat(result.outcome()).isEqualTo(new Outcome.TimedOut(limit));
      assertThat(result.usage().wall()).isGreaterThanOrEqualTo(limit);
      verifyPart(result);
      tally.count("timed out");
    } else {
      assertThat(result.outcome()).isEqualTo(new Outcome.Exited(CODE));
      assertThat(gate.isOpen()).as("its line had come").isTrue();
      verifyPart(result);
      assertThat(result.stdout()).endsWith("  -\n" + REST);
      tally.count("exited");
    }
  }

  private void verifyCanceled(
      SandboxCanceledException canceled, boolean flag, boolean wasClosed, Tally tally) {
    if (canceled.reason().contains("interrupted")) {
      assertThat(isInterrupted).as("interrupted").isTrue();
      assertThat(flag).as("the flag stays").isTrue();
      tally.count("interrupted");
    } else {
      assertThat(canceled.reason()).contains("closed");
      assertThat(wasClosed).as("closed").isTrue();
      tally.count("closed");
    }
    if (wasReady) {
      assertThat(canceled.result()).as("what it had written").isPresent();
    }
    canceled.result().ifPresent(this::verifyPart);
  }

  /** Nothing is torn, and what had been written before the moment is there. */
  private void verifyPart(SandboxResult result) {
    String first = new String(numbers.bytes(), StandardCharsets.US_ASCII);
    assertThat(first + REST).startsWith(result.stdout());
    if (wasReady) {
      assertThat(result.stdout()).startsWith(first);
    }
  }
}
