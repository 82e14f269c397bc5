package io.zett.sandbox.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.SandboxCanceledException;
import io.zett.sandbox.SandboxClosedException;
import io.zett.sandbox.SandboxResult;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/** Runs one command after the other, in one session or another, in one way or another. */
final class Worker {
  private static final int SHOWN = 500;

  /** What takes much memory until its limit ends it, in all sessions together. */
  private static final Semaphore HOGS = new Semaphore(3);

  private final Random random;
  private final List<Place> places;
  private final Tally tally;
  private final HonestTasks honest;
  private final HostileTasks hostile;

  /** What it does now, for people. */
  volatile String doing = "nothing";

  Worker(long seed, List<Place> places, String sleep, Tally tally) {
    this.random = new Random(seed);
    this.places = places;
    this.tally = tally;
    this.honest = new HonestTasks(random, sleep);
    this.hostile = new HostileTasks(random, sleep);
  }

  /** Runs commands of every kind in every way, in each session some. */
  void everyKind() {
    for (int i = 0; i < places.size() * 2; i++) {
      Place place = places.get(i % places.size());
      judged(honest.of(i % HonestTasks.KINDS), place, this::waitedFor);
      judged(honest.of(i % HonestTasks.KINDS), place, this::canceled);
      judged(honest.of(i % HonestTasks.KINDS), place, this::interrupted);
      judged(hostile.of(i % HostileTasks.KINDS, place.kind()), place, this::awaited);
    }
  }

  /** Goes on until this time, as {@link System#nanoTime()} has it. */
  void workUntil(long end) {
    while (System.nanoTime() - end < 0) {
      Place place = places.get(random.nextInt(places.size()));
      if (random.nextInt(100) == 0) {
        renew(place);
      } else {
        Task task =
            random.nextBoolean()
                ? hostile.of(random.nextInt(HostileTasks.KINDS), place.kind())
                : honest.of(random.nextInt(HonestTasks.KINDS));
        switch (random.nextInt(10)) {
          case 0, 1, 2, 3 -> judged(task, place, this::waitedFor);
          case 4, 5, 6 -> judged(task, place, this::awaited);
          case 7, 8 -> judged(task, place, this::canceled);
          default -> judged(task, place, this::interrupted);
        }
      }
    }
  }

  private void renew(Place place) {
    doing = "closing " + place.kind();
    try {
      place.renew();
      tally.count("sessions closed");
    } catch (Throwable failure) {
      tally.fail(doing, failure);
    }
  }

  private interface Way {
    void run(Task task, Place.Tenancy tenancy) throws Exception;
  }

  private void judged(Task task, Place place, Way way) {
    doing = place.kind() + ", " + task;
    tally.count(task.isHostile() ? "hostile commands" : "honest commands");
    boolean isHog = task.name().equals(HostileTasks.HOG);
    if (isHog) {
      HOGS.acquireUninterruptibly();
    }
    try {
      way.run(task, place.tenancy());
    } catch (Throwable failure) {
      tally.fail(doing, failure);
    } finally {
      doing = "nothing";
      if (isHog) {
        HOGS.release();
      }
    }
  }

  /** By {@code run}. */
  private void waitedFor(Task task, Place.Tenancy tenancy) {
    judge(task, tenancy, End.ofRun(tenancy.session, task.command()), false);
  }

  /** By {@code runAsync}. */
  private void awaited(Task task, Place.Tenancy tenancy) {
    judge(task, tenancy, end(tenancy.session.runAsync(task.command())), false);
  }

  /** By {@code runAsync}, and cancelled at some moment. */
  private void canceled(Task task, Place.Tenancy tenancy) {
    CompletableFuture<SandboxResult> future = tenancy.session.runAsync(task.command());
    pause();
    if (future.cancel(true)) {
      assertThat(future.isCancelled()).isTrue();
      assertThat(future.state()).isEqualTo(CompletableFuture.State.CANCELLED);
      tally.count("cancelled");
    } else {
      judge(task, tenancy, end(future), false);
    }
  }

  /** By {@code run} on a thread that is interrupted at some moment. */
  private void interrupted(Task task, Place.Tenancy tenancy) throws Exception {
    CompletableFuture<End> ended = new CompletableFuture<>();
    Thread thread =
        Thread.ofVirtual().start(() -> ended.complete(End.ofRun(tenancy.session, task.command())));
    pause();
    thread.interrupt();
    judge(task, tenancy, ended.get(), true);
    thread.join();
  }

  private void pause() {
    LockSupport.parkNanos(random.nextLong(Duration.ofMillis(200).toNanos()));
  }

  private static End end(CompletableFuture<SandboxResult> future) {
    return future.handle((result, thrown) -> new End(result, thrown, false)).join();
  }

  private void judge(Task task, Place.Tenancy tenancy, End end, boolean mayBeInterrupted) {
    if (end.result() != null) {
      verify(task, end.result(), tenancy);
      checked(task, end.result());
    } else if (end.thrown() instanceof SandboxClosedException) {
      assertThat(tenancy.isClosing()).as("only a closed session refuses").isTrue();
      tally.count("refused because closed");
    } else if (end.thrown() instanceof SandboxCanceledException canceled) {
      if (canceled.reason().contains("closed")) {
        assertThat(tenancy.isClosing()).as("closing ends, and nothing else").isTrue();
        tally.count("ended by closing");
      } else {
        assertThat(canceled.reason()).contains("interrupted");
        assertThat(mayBeInterrupted).as("interrupted").isTrue();
        assertThat(end.wasInterrupted()).as("the flag stays").isTrue();
        tally.count("interrupted");
      }
      canceled
          .result()
          .ifPresent(
              result -> {
                task.verifyPart(result);
                checked(task, result);
              });
    } else {
      throw new AssertionError("no right end", end.thrown());
    }
  }

  /** What is lost on one stream may be explained on the other. */
  private static void verify(Task task, SandboxResult result, Place.Tenancy tenancy) {
    try {
      task.verify(result, tenancy.workspace);
    } catch (AssertionError e) {
      String said = result.stderr().substring(0, Math.min(SHOWN, result.stderr().length()));
      throw new AssertionError(result.outcome() + ", standard error: " + said, e);
    }
  }

  private void checked(Task task, SandboxResult result) {
    long bytes = result.stdoutBytes().length;
    tally.add("bytes checked", task.stderr() == null ? bytes : bytes + result.stderrBytes().length);
    if (result.timedOut()) {
      tally.count("timed out");
    }
  }
}
