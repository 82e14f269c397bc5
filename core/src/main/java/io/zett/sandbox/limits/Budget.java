package io.zett.sandbox.limits;

import io.zett.sandbox.Limit;
import io.zett.sandbox.SandboxPolicy;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** The limits that a policy asks for. */
record Budget(
    OptionalLong memory,
    OptionalDouble cpus,
    OptionalLong cpuSeconds,
    OptionalInt processes,
    OptionalLong maxFileSize,
    OptionalInt openFiles) {

  /**
   * Tasks of a command that are not "added" by it: zett-init, which is pid 1 of the sandbox, and
   * the command itself.
   */
  static final int OWN_TASKS = 2;

  static Budget of(SandboxPolicy policy) {
    return new Budget(
        policy.memory(),
        policy.cpus(),
        policy.cpuSeconds(),
        policy.processes(),
        policy.maxFileSize(),
        policy.openFiles());
  }

  boolean asksFor(Limit limit) {
    return switch (limit) {
      case MEMORY -> memory.isPresent();
      case CPUS -> cpus.isPresent();
      case CPU_SECONDS -> cpuSeconds.isPresent();
      case PROCESSES -> processes.isPresent();
      case FILE_SIZE -> maxFileSize.isPresent();
      case OPEN_FILES -> openFiles.isPresent();
      case SCRATCH_SIZE -> true;
    };
  }

  /** The most tasks that may be alive in the sandbox. */
  long mostTasks() {
    return (long) processes.orElseThrow() + OWN_TASKS;
  }
}
