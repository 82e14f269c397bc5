package io.zett.sandbox.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.SandboxSession;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.locks.LockSupport;

/**
 * One session with many commands; at one moment some of them start, and all of them are cancelled,
 * interrupted or told to exit while the session is closed.
 */
final class Race {
  /** Half of them run at the moment, the others start then. */
  static final int COMMANDS = 16;

  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final long SPREAD_NANOS = Duration.ofMillis(12).toNanos();

  private final Random random;
  private final String mark;
  private final Tally tally;

  /** The mark is an argument of every command. */
  Race(Random random, String mark, Tally tally) {
    this.random = random;
    this.mark = mark;
    this.tally = tally;
  }

  void run() throws Exception {
    SandboxSession.Builder builder = SandboxSession.builder().requireIsolation(true);
    if (random.nextInt(4) == 0) {
      builder.maxConcurrent(COMMANDS / 2); // Those that start late wait for their turn.
    }
    try (SandboxSession session = builder.open()) {
      Path workspace = session.workspace();
      race(session, random.nextInt(3) > 0);
      session.close();
      assertThat(workspace).doesNotExist();
    }
  }

  private void race(SandboxSession session, boolean closes) throws Exception {
    List<Racer> early = racers(session, 0);
    List<Racer> late = racers(session, COMMANDS / 2);
    early.forEach(Racer::start);
    early.forEach(Racer::awaitReady);
    List<Runnable> parts = new ArrayList<>();
    early.forEach(racer -> parts.add(racer::provoke));
    late.forEach(racer -> parts.add(racer::provoke));
    late.forEach(racer -> parts.add(racer::start));
    if (closes) {
      long delayNanos = random.nextLong(SPREAD_NANOS);
      parts.add(
          () -> {
            LockSupport.parkNanos(delayNanos);
            session.close();
          });
    }
    atOnce(parts);
    for (Racer racer : early) {
      racer.verify(closes, tally);
    }
    for (Racer racer : late) {
      racer.verify(closes, tally);
    }
  }

  private List<Racer> racers(SandboxSession session, int first) {
    List<Racer> racers = new ArrayList<>();
    for (int i = 0; i < COMMANDS / 2; i++) {
      Racer.Way way = Racer.Way.values()[i % Racer.Way.values().length];
      racers.add(new Racer(session, way, first + i + 1, mark, random));
    }
    return racers;
  }

  /** Each on a thread of its own; all begin together. */
  private static void atOnce(List<Runnable> parts) throws InterruptedException {
    CyclicBarrier moment = new CyclicBarrier(parts.size());
    List<Thread> threads = new ArrayList<>();
    for (Runnable part : parts) {
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      moment.await();
                    } catch (Exception e) {
                      throw new AssertionError(e);
                    }
                    part.run();
                  }));
    }
    for (Thread thread : threads) {
      assertThat(thread.join(PATIENCE)).as("everyone has done its part").isTrue();
    }
  }
}
