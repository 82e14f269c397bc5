package io.zett.sandbox.benchmarks;

/** What figures are counted in. */
enum Unit {
  MILLISECONDS("ms", true),
  MICROSECONDS("µs", true),
  COMMANDS_PER_SECOND("/s", false),
  MEGABYTES_PER_SECOND("MB/s", false),
  FILES_PER_SECOND("files/s", false),
  BYTES("B", true),
  PERCENT("%", true),
  THREADS("threads", true);

  private final String symbol;
  private final boolean lessIsBetter;

  Unit(String symbol, boolean lessIsBetter) {
    this.symbol = symbol;
    this.lessIsBetter = lessIsBetter;
  }

  String symbol() {
    return symbol;
  }

  /** The figure that 95 of 100 are at least as good as. */
  double tail(Samples samples) {
    return samples.quantile(lessIsBetter ? 0.95 : 0.05);
  }
}
