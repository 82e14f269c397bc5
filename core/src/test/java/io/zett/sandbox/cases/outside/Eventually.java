package io.zett.sandbox.cases.outside;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waiting for what the kernel tells nobody: processes of others, files of others. */
public final class Eventually {
  private static final long PAUSE_NANOS = Duration.ofMillis(5).toNanos();

  private Eventually() {}

  /** Waits until something holds; fails after this time. */
  public static void within(Duration patience, String what, BooleanSupplier condition) {
    within(patience, () -> what, condition);
  }

  /** The same with a description of how things stand when it fails. */
  public static void within(Duration patience, Supplier<String> what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + patience.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("not within " + patience.toSeconds() + " s: " + what.get());
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
