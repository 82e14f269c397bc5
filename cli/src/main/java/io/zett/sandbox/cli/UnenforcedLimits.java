package io.zett.sandbox.cli;

import io.zett.sandbox.Enforcement;
import io.zett.sandbox.Limit;
import io.zett.sandbox.ResourceReport;
import io.zett.sandbox.SandboxPolicy;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Limits that were asked for and that nothing on this machine keeps, in one line for people. */
final class UnenforcedLimits {
  private UnenforcedLimits() {}

  /** Empty when every limit of the policy is kept, be it partly. */
  static Optional<String> of(SandboxPolicy policy, ResourceReport report) {
    String limits =
        asked(policy).stream()
            .filter(limit -> report.enforcement(limit).level() == Enforcement.Level.NONE)
            .map(limit -> limit.wireName() + " (" + report.enforcement(limit).detail() + ")")
            .collect(Collectors.joining(", "));
    return limits.isEmpty() ? Optional.empty() : Optional.of("not enforced here: " + limits);
  }

  private static Set<Limit> asked(SandboxPolicy policy) {
    Set<Limit> asked = EnumSet.noneOf(Limit.class);
    add(asked, Limit.MEMORY, policy.memory().isPresent());
    add(asked, Limit.CPUS, policy.cpus().isPresent());
    add(asked, Limit.CPU_SECONDS, policy.cpuSeconds().isPresent());
    add(asked, Limit.PROCESSES, policy.processes().isPresent());
    add(asked, Limit.FILE_SIZE, policy.maxFileSize().isPresent());
    add(asked, Limit.OPEN_FILES, policy.openFiles().isPresent());
    add(asked, Limit.SCRATCH_SIZE, policy.scratchSize().isPresent());
    return asked;
  }

  private static void add(Set<Limit> asked, Limit limit, boolean isAsked) {
    if (isAsked) {
      asked.add(limit);
    }
  }
}
