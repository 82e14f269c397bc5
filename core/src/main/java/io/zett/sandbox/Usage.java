package io.zett.sandbox;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a command used. Immutable; equal by content.
 *
 * @param wall from the command's first instruction to its end
 * @param setup what building the sandbox took before that
 * @param cpu processor time, user and system, of the command and all that it started and waited
 *     for; empty where unknown. Of a command that was ended, e.g. for its time, only a control
 *     group tells it all; where none counts, it is what was last counted for {@code cpuSeconds}, at
 *     most half a second before the end, and empty without that limit
 * @param peakMemory the most memory in use, in bytes, with what the kernel caches for the command;
 *     empty where unknown. Where no control group counts, it is the largest single process; where
 *     one of version 1 does, up to a 32nd of the limit may be an earlier command's
 */
public record Usage(
    Duration wall, Duration setup, Optional<Duration> cpu, OptionalLong peakMemory) {
  /** Nothing used, nothing known. */
  static final Usage UNKNOWN =
      new Usage(Duration.ZERO, Duration.ZERO, Optional.empty(), OptionalLong.empty());

  /** Refuses {@code null}. */
  public Usage {
    Objects.requireNonNull(wall, "wall");
    Objects.requireNonNull(setup, "setup");
    Objects.requireNonNull(cpu, "cpu");
    Objects.requireNonNull(peakMemory, "peakMemory");
  }
}
