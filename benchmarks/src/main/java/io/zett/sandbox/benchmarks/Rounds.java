package io.zett.sandbox.benchmarks;

import java.util.concurrent.TimeUnit;

/**
 * How many pairs to take: as many as wanted, or fewer where they take longer than there is time
 * for, so that all of it ends within ten minutes on a slow machine, too.
 *
 * @param warmUp how many to throw away at the beginning
 * @param most how many to keep
 * @param least how many to keep however long they take
 * @param nanos how long those that are kept may take
 */
record Rounds(int warmUp, int most, int least, long nanos) {
  private static final int LEAST = 5;

  /** At least five, and as many as fit into a time. */
  static Rounds of(int warmUp, int most, int seconds) {
    return new Rounds(warmUp, most, Math.min(LEAST, most), TimeUnit.SECONDS.toNanos(seconds));
  }

  /** Always the same number. */
  static Rounds exactly(int warmUp, int count) {
    return new Rounds(warmUp, count, count, Long.MAX_VALUE);
  }

  boolean wantsMore(int taken, long nanosSoFar) {
    return taken < least || (taken < most && nanosSoFar < nanos);
  }
}
