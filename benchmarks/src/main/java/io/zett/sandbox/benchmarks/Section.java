package io.zett.sandbox.benchmarks;

/** A subject that is measured by itself, in seconds to two minutes. */
interface Section {
  /** The word that {@code ./bench} takes for it. */
  String name();

  /** What it is about, for the table's heading. */
  String title();

  /** Measures, and leaves nothing behind. */
  void run(Settings settings, Results results) throws Exception;
}
