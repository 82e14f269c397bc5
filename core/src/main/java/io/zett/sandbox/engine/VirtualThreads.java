package io.zett.sandbox.engine;

/**
 * Has the JVM make what its virtual threads need, while there are threads for that. If the first
 * virtual thread of a JVM is wanted when no native thread can be had, its class cannot be
 * initialised, and is of no use for as long as that JVM lives (JDK 25).
 */
final class VirtualThreads {
  private VirtualThreads() {}

  /**
   * Does nothing when it was done before.
   *
   * @throws OutOfMemoryError if the threads that serve virtual ones cannot be started, or could not
   *     be when this JVM first wanted them
   */
  static void prepare() {
    try {
      Thread.ofVirtual().unstarted(() -> {});
    } catch (ExceptionInInitializerError | NoClassDefFoundError e) {
      OutOfMemoryError told =
          new OutOfMemoryError(
              "unable to create the native threads that virtual threads need; this JVM does not try"
                  + " again, so start another");
      told.initCause(e);
      throw told;
    }
  }
}
