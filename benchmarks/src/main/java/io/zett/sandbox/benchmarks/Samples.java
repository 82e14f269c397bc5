package io.zett.sandbox.benchmarks;

import java.util.Arrays;
import java.util.Collection;

/** Figures of one kind, at least one. Immutable. */
final class Samples {
  private final double[] sorted;

  private Samples(double[] values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("no figures");
    }
    sorted = values.clone();
    Arrays.sort(sorted);
  }

  static Samples of(double... values) {
    return new Samples(values);
  }

  static Samples of(Collection<Double> values) {
    return new Samples(values.stream().mapToDouble(Double::doubleValue).toArray());
  }

  int count() {
    return sorted.length;
  }

  /** The middle one; of an even number the mean of the two in the middle. */
  double median() {
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  /** The least figure that this share of all figures does not exceed. */
  double quantile(double share) {
    return sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
  }
}
