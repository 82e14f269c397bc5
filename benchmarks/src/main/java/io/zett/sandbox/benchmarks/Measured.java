package io.zett.sandbox.benchmarks;

/** Something that is done once, and the figure that came of it. */
@FunctionalInterface
interface Measured {
  /** The figure, in a unit that the user of it knows. */
  double once() throws Exception;

  /** Something that can fail. */
  @FunctionalInterface
  interface Action {
    void run() throws Exception;
  }

  /** How long it takes, in milliseconds. */
  static Measured milliseconds(Action action) {
    return () -> {
      long begin = System.nanoTime();
      action.run();
      return (System.nanoTime() - begin) / 1e6;
    };
  }

  /** The same work as an amount per second, from a time in milliseconds. */
  static Measured perSecond(double amount, Measured milliseconds) {
    return () -> amount * 1000 / milliseconds.once();
  }
}
