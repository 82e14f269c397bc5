package io.zett.sandbox.fuzz;

import java.time.Duration;

/** How long, and from which seed. */
final class Budget {

  private final long end;

  private Budget(long end) {
    this.end = end;
  }

  /** A share of the seconds that are given, 40 by default. */
  static Budget share(double share) {
    double seconds = Long.getLong("zett.fuzz.seconds", 40) * share;
    return new Budget(System.nanoTime() + Duration.ofMillis((long) (seconds * 1000)).toNanos());
  }

  boolean isLeft() {
    return System.nanoTime() < end;
  }

  /** The seed of a run; printed, so that it can be given again. */
  static long seed(String what) {
    Long given = Long.getLong("zett.fuzz.seed");
    long seed = given != null ? given : System.nanoTime() & 0xffffffL;
    System.out.println(what + ": -Dzett.fuzz.seed=" + seed);
    return seed;
  }
}
