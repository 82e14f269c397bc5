package io.zett.sandbox.benchmarks;

/**
 * What a figure should be.
 *
 * @param atMost whether the bound is an upper one
 * @param bound the last value that meets the goal
 */
record Goal(boolean atMost, double bound) {
  static Goal atMost(double bound) {
    return new Goal(true, bound);
  }

  static Goal atLeast(double bound) {
    return new Goal(false, bound);
  }

  boolean isMetBy(double value) {
    return atMost ? value <= bound : value >= bound;
  }

  @Override
  public String toString() {
    return (atMost ? "≤ " : "≥ ") + Figures.text(bound);
  }
}
