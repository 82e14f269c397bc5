package io.zett.sandbox.benchmarks;

import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * One line of the result.
 *
 * @param section the section that measured it
 * @param what what was measured
 * @param unit what both sides are counted in
 * @param measured the figures
 * @param baseline what they are compared with; null for nothing
 * @param judged the number that counts
 */
record Row(
    String section,
    String what,
    Unit unit,
    Samples measured,
    @Nullable Baseline baseline,
    Judged judged) {

  /** What something is compared with. */
  record Baseline(String name, Samples samples) {}

  /** A row whose goal is about the ratio to a baseline. */
  static Row ratio(
      String section, String what, Unit unit, Pairs pairs, String baseline, @Nullable Goal goal) {
    return new Row(
        section,
        what,
        unit,
        pairs.measured(),
        new Baseline(baseline, pairs.baseline()),
        Judged.ratio(pairs, goal));
  }

  /** The ratio of the medians; empty without a baseline, or when its median is zero. */
  OptionalDouble ratio() {
    return baseline == null || baseline.samples().median() == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(measured.median() / baseline.samples().median());
  }

  /** Whether the goal is met; null when there is none. */
  @Nullable Boolean met() {
    Goal goal = judged.goal();
    return goal == null ? null : goal.isMetBy(judged.value());
  }
}
