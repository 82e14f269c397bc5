package io.zett.sandbox.benchmarks;

import java.util.Arrays;

/**
 * Figures that were taken in turn with those of a baseline, so that whatever else the machine did
 * meanwhile hit both alike.
 *
 * @param measured the figures
 * @param baseline the baseline's
 * @param ratios of each pair, the measured one divided by the baseline's
 * @param differences of each pair, the measured one less the baseline's
 */
record Pairs(Samples measured, Samples baseline, Samples ratios, Samples differences) {

  int count() {
    return ratios.count();
  }

  /** Takes pairs; which half comes first alternates. */
  static Pairs take(Rounds rounds, Measured measured, Measured baseline) throws Exception {
    double[] ours = new double[rounds.most()];
    double[] theirs = new double[rounds.most()];
    long begin = System.nanoTime();
    int count = 0;
    for (int i = -rounds.warmUp(); rounds.wantsMore(i, System.nanoTime() - begin); i++) {
      begin = i == 0 ? System.nanoTime() : begin;
      boolean first = i % 2 == 0;
      double before = first ? measured.once() : baseline.once();
      double after = first ? baseline.once() : measured.once();
      if (i >= 0) {
        ours[i] = first ? before : after;
        theirs[i] = first ? after : before;
        count = i + 1;
      }
    }
    double[] ratios = new double[count];
    double[] differences = new double[count];
    for (int i = 0; i < count; i++) {
      ratios[i] = ours[i] / theirs[i];
      differences[i] = ours[i] - theirs[i];
    }
    return new Pairs(
        Samples.of(Arrays.copyOf(ours, count)),
        Samples.of(Arrays.copyOf(theirs, count)),
        Samples.of(ratios),
        Samples.of(differences));
  }
}
