package io.zett.sandbox.benchmarks;

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

  /**
   * Takes pairs; which half comes first alternates.
   *
   * @param warmUp how many pairs to throw away at the beginning
   * @param count how many to keep
   */
  static Pairs take(int warmUp, int count, Measured measured, Measured baseline) throws Exception {
    double[] ours = new double[count];
    double[] theirs = new double[count];
    double[] ratios = new double[count];
    double[] differences = new double[count];
    for (int i = -warmUp; i < count; i++) {
      boolean first = i % 2 == 0;
      double before = first ? measured.once() : baseline.once();
      double after = first ? baseline.once() : measured.once();
      if (i >= 0) {
        ours[i] = first ? before : after;
        theirs[i] = first ? after : before;
        ratios[i] = ours[i] / theirs[i];
        differences[i] = ours[i] - theirs[i];
      }
    }
    return new Pairs(
        Samples.of(ours), Samples.of(theirs), Samples.of(ratios), Samples.of(differences));
  }
}
