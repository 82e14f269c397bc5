package io.zett.sandbox.benchmarks;

import io.zett.sandbox.MemoryStrategy;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The processor time of this process while it watches commands that do nothing. */
final class WatchdogCost implements Section {
  private static final int COMMANDS = 50;

  /** Seconds; the compiler is done with the watchdog's code by then. */
  private static final int WARM_UP = 8;

  private static final int WINDOW = 25;

  /** Without a limit nothing looks at the commands, so there is little to measure. */
  private static final int WITHOUT = 3;

  private static final int QUICK = 10;

  @Override
  public String name() {
    return "watchdog";
  }

  @Override
  public String title() {
    return "Watching the memory of " + COMMANDS + " sleeping commands";
  }

  @Override
  public void run(Settings settings, Results results) throws Exception {
    double watched =
        percentOfOneCore(
            SandboxSession.builder()
                .noTimeout()
                .memory("256M")
                .memoryStrategy(MemoryStrategy.WATCHDOG),
            WARM_UP,
            settings.amount(WINDOW, QUICK));
    double idle = percentOfOneCore(SandboxSession.builder().noTimeout(), WITHOUT, WITHOUT);
    results.add(
        new Row(
            "watchdog",
            COMMANDS + " commands that sleep, over " + settings.amount(WINDOW, QUICK) + " s",
            Unit.PERCENT,
            Samples.of(watched),
            new Row.Baseline("no limit", Samples.of(idle)),
            new Judged("% of one core", watched, Goal.atMost(2))));
  }

  private static double percentOfOneCore(SandboxSession.Builder builder, int warmUp, int seconds)
      throws InterruptedException {
    try (SandboxSession session = builder.open()) {
      List<CompletableFuture<SandboxResult>> running = new ArrayList<>();
      for (int i = 0; i < COMMANDS; i++) {
        running.add(session.runAsync(SandboxCommand.of("sleep", "600")));
      }
      TimeUnit.SECONDS.sleep(warmUp);
      long before = Machine.processorTime();
      long begin = System.nanoTime();
      TimeUnit.SECONDS.sleep(seconds);
      double percent = 100.0 * (Machine.processorTime() - before) / (System.nanoTime() - begin);
      running.forEach(each -> each.cancel(true));
      return percent;
    }
  }
}
