package io.zett.sandbox.benchmarks;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A thousand commands that are alive at the same time. */
final class Alive implements Section {
  private static final int COMMANDS = 1000;
  private static final int MOST_AT_ONCE = 2000;
  private static final int FURTHER = 100;
  private static final int WARM_UP = 100;
  private static final int COLLECTIONS = 5;
  private static final long POLL_MILLIS = 50;
  private static final SandboxCommand TRUE = SandboxCommand.of("true").checked();

  @Override
  public String name() {
    return "alive";
  }

  @Override
  public String title() {
    return Figures.count(COMMANDS) + " commands alive at once";
  }

  @Override
  public void run(Settings settings, Results results) throws Exception {
    try (SandboxSession session =
        SandboxSession.builder().maxConcurrent(MOST_AT_ONCE).noTimeout().open()) {
      for (int i = 0; i < WARM_UP; i++) {
        session.run(TRUE);
      }
      Samples idle = further(settings, session);
      int threads = threads();
      long heap = heap();
      List<CompletableFuture<SandboxResult>> running = new ArrayList<>();
      for (int i = 0; i < COMMANDS; i++) {
        running.add(
            session.runAsync(
                SandboxCommand.of("sh", "-c", "echo > started-$0; exec sleep 600", "" + i)));
      }
      awaitStarted(session.workspace());
      int added = threads() - threads;
      double each = (double) (heap() - heap) / COMMANDS;
      Samples beside = further(settings, session);
      running.forEach(one -> one.cancel(true));
      results.add(
          new Row(
              name(),
              "platform threads added",
              Unit.THREADS,
              Samples.of(added),
              null,
              new Judged("threads", added, Goal.atMost(COMMANDS / 100.0))));
      results.add(
          new Row(
              name(),
              "heap of each, after a collection",
              Unit.BYTES,
              Samples.of(each),
              null,
              new Judged("B", each, Goal.atMost(8192))));
      results.add(
          new Row(
              name(),
              "a further command beside them",
              Unit.MILLISECONDS,
              beside,
              new Row.Baseline("the same session when idle", idle),
              new Judged("ratio", beside.median() / idle.median(), Goal.atMost(2))));
    }
  }

  private static Samples further(Settings settings, SandboxSession session) throws Exception {
    List<Double> times = new ArrayList<>();
    Measured further = Measured.milliseconds(() -> session.run(TRUE));
    for (int i = 0; i < settings.count(FURTHER); i++) {
      times.add(further.once());
    }
    return Samples.of(times);
  }

  /** Each command makes a file as its first act. */
  private static void awaitStarted(Path workspace) throws IOException, InterruptedException {
    while (true) {
      try (Stream<Path> files = Files.list(workspace)) {
        if (files.count() >= COMMANDS) {
          return;
        }
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
  }

  /** Virtual threads are counted by the heap that they take. */
  private static int threads() {
    return ManagementFactory.getThreadMXBean().getThreadCount();
  }

  private static long heap() throws InterruptedException {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
