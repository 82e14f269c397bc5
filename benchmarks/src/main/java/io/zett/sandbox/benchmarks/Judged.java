package io.zett.sandbox.benchmarks;

import org.jspecify.annotations.Nullable;

/**
 * The one number of a row that its goal is about.
 *
 * @param name what the number is, such as {@code ratio of pairs}
 * @param value the number
 * @param goal what it should be; null when it is only shown
 */
record Judged(String name, double value, @Nullable Goal goal) {
  /** The median of the ratios of pairs. */
  static Judged ratio(Pairs pairs, @Nullable Goal goal) {
    return new Judged("ratio of pairs", pairs.ratios().median(), goal);
  }
}
