package io.zett.sandbox.limits.attacks;

import io.zett.sandbox.MemoryStrategy;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Measures what limits cost: what joining groups adds to a command, and how much of a processor the
 * watchdog takes. Figures for people; no test depends on them.
 */
final class LimitCosts {
  private static final int PAIRS = 300;
  private static final int WARM_UP = 50;
  private static final int COMMANDS = 50;
  private static final long MEASURED_MILLIS = 10_000;
  private static final SandboxCommand TRUE = SandboxCommand.of("true");

  private LimitCosts() {}

  /** With any argument only the watchdog is measured. */
  public static void main(String[] arguments) throws InterruptedException {
    if (arguments.length > 0) {
      watchdog();
      return;
    }
    join("memory, processes, cpus, cpuSeconds in groups", limited());
    join("memory and processes", SandboxSession.builder().memory("256M").processes(50));
    join("memory in a group", SandboxSession.builder().memory("256M"));
    join("processes in a group", SandboxSession.builder().processes(50));
    join("cpus in a group", SandboxSession.builder().cpus(1));
    join("cpuSeconds in a group", SandboxSession.builder().cpuSeconds(60));
    join("nothing, for comparison", SandboxSession.builder());
    watchdog();
  }

  private static SandboxSession.Builder limited() {
    return SandboxSession.builder().memory("256M").processes(50).cpus(1).cpuSeconds(60);
  }

  /** Interleaved pairs, so that what else the machine does hits both alike. */
  private static void join(String what, SandboxSession.Builder settings) {
    try (SandboxSession plain = SandboxSession.builder().open();
        SandboxSession limited = settings.open()) {
      double[] differences = new double[PAIRS];
      double[] without = new double[PAIRS];
      for (int i = -WARM_UP; i < PAIRS; i++) {
        double first = millis(i % 2 == 0 ? plain : limited);
        double second = millis(i % 2 == 0 ? limited : plain);
        if (i >= 0) {
          without[i] = i % 2 == 0 ? first : second;
          differences[i] = (i % 2 == 0 ? 1 : -1) * (second - first);
        }
      }
      System.out.printf(
          "%s: %.2f ms more than %.2f ms (medians of %d pairs)%n",
          what, median(differences), median(without), PAIRS);
    }
  }

  private static double millis(SandboxSession session) {
    long begin = System.nanoTime();
    session.run(TRUE);
    return (System.nanoTime() - begin) / 1e6;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static void watchdog() throws InterruptedException {
    double idle = percentOfOneCore(SandboxSession.builder().noTimeout());
    double watched =
        percentOfOneCore(
            SandboxSession.builder()
                .noTimeout()
                .memory("256M")
                .memoryStrategy(MemoryStrategy.WATCHDOG));
    System.out.printf(
        "watchdog: %.2f %% of one core for %d commands that sleep, %.2f %% without%n",
        watched, COMMANDS, idle);
  }

  private static double percentOfOneCore(SandboxSession.Builder settings)
      throws InterruptedException {
    try (SandboxSession session = settings.open()) {
      List<CompletableFuture<SandboxResult>> running = new ArrayList<>();
      for (int i = 0; i < COMMANDS; i++) {
        running.add(session.runAsync(SandboxCommand.of("sleep", "600")));
      }
      Thread.sleep(2 * MEASURED_MILLIS);
      long before = cpuNanos();
      long begin = System.nanoTime();
      Thread.sleep(MEASURED_MILLIS);
      double percent = 100.0 * (cpuNanos() - before) / (System.nanoTime() - begin);
      running.forEach(each -> each.cancel(true));
      return percent;
    }
  }

  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
