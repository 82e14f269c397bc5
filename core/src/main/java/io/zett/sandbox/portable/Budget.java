package io.zett.sandbox.portable;

import io.zett.sandbox.Limit;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What the processes of a command may use together, counted by looking again and again.
 *
 * @param memoryBytes in memory
 * @param cpuSeconds of processor time
 * @param processes beside the first one
 */
public record Budget(OptionalLong memoryBytes, OptionalLong cpuSeconds, OptionalInt processes) {
  private static final long NANOS = 1_000_000_000;

  /** Whether looks need the memory of each process. */
  boolean countsMemory() {
    return memoryBytes.isPresent();
  }

  /** The first limit that a tree is beyond; null when none. */
  @Nullable Limit exceeded(Tree tree) {
    if (memoryBytes.isPresent() && tree.residentBytes() > memoryBytes.getAsLong()) {
      return Limit.MEMORY;
    }
    if (cpuSeconds.isPresent() && tree.cpuNanos() >= cpuSeconds.getAsLong() * NANOS) {
      return Limit.CPU_SECONDS;
    }
    if (processes.isPresent() && tree.others() > processes.getAsInt()) {
      return Limit.PROCESSES;
    }
    return null;
  }
}
