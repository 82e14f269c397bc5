package io.zett.sandbox.benchmarks;

import io.zett.sandbox.Limit;
import io.zett.sandbox.ResourceReport;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxSession;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What the limits of a command add to it, against a session without any. */
final class Limits implements Section {
  private static final int PAIRS = 200;
  private static final int SECONDS = 4;
  private static final int WARM_UP = 20;
  private static final Goal GOAL = Goal.atMost(0.5);
  private static final SandboxCommand TRUE = SandboxCommand.of("true").checked();

  private static final List<Set<Limit>> SETS =
      List.of(
          Set.of(),
          Set.of(Limit.MEMORY),
          Set.of(Limit.PROCESSES),
          Set.of(Limit.CPUS),
          Set.of(Limit.CPU_SECONDS),
          Set.of(Limit.MEMORY, Limit.PROCESSES),
          Set.of(Limit.MEMORY, Limit.PROCESSES, Limit.CPUS, Limit.CPU_SECONDS));

  @Override
  public String name() {
    return "limits";
  }

  @Override
  public String title() {
    return "A command with limits";
  }

  @Override
  public void run(Settings settings, Results results) throws Exception {
    for (Set<Limit> limits : SETS) {
      try (SandboxSession plain = SandboxSession.builder().open();
          SandboxSession limited = limited(limits).open()) {
        Pairs pairs =
            Pairs.take(
                settings.rounds(WARM_UP, PAIRS, SECONDS),
                Measured.milliseconds(() -> limited.run(TRUE)),
                Measured.milliseconds(() -> plain.run(TRUE)));
        results.add(row(limits, limited.capabilities(), pairs));
      }
    }
  }

  private static SandboxSession.Builder limited(Set<Limit> limits) {
    SandboxSession.Builder builder = SandboxSession.builder();
    for (Limit limit : limits) {
      switch (limit) {
        case MEMORY -> builder.memory("256M");
        case PROCESSES -> builder.processes(50);
        case CPUS -> builder.cpus(1);
        case CPU_SECONDS -> builder.cpuSeconds(60);
        default -> throw new IllegalArgumentException("not kept by a group: " + limit);
      }
    }
    return builder;
  }

  private static Row row(Set<Limit> limits, ResourceReport report, Pairs pairs) {
    String names = limits.stream().sorted().map(Limit::wireName).collect(Collectors.joining(", "));
    String mechanisms =
        limits.stream()
            .map(limit -> report.enforcement(limit).mechanism())
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "));
    return new Row(
        "limits",
        limits.isEmpty() ? "none, for comparison" : names + " by " + mechanisms,
        Unit.MILLISECONDS,
        pairs.measured(),
        new Row.Baseline("no limits", pairs.baseline()),
        limits.isEmpty()
            ? new Judged("ms more", pairs.differences().median(), null)
            : new Judged(
                "ms more a limit",
                pairs.differences().median() / limits.size(),
                // The goal is about joining groups; where there are none it says nothing.
                limits.stream().allMatch(limit -> isGroup(report, limit)) ? GOAL : null));
  }

  private static boolean isGroup(ResourceReport report, Limit limit) {
    return report.enforcement(limit).mechanism().startsWith("cgroup");
  }
}
