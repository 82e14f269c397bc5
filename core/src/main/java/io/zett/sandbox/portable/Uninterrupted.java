package io.zett.sandbox.portable;

import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waiting that an interrupt does not end; the flag is kept. */
final class Uninterrupted {
  private Uninterrupted() {}

  static int waitFor(Process process) {
    return call(process::waitFor);
  }

  static <T> T call(Callable<T> waiting) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return waiting.call();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (RuntimeException e) {
          throw e;
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  static void pause(long nanos) {
    long until = System.nanoTime() + nanos;
    boolean interrupted = false;
    for (long left = nanos; left > 0; left = until - System.nanoTime()) {
      LockSupport.parkNanos(left);
      interrupted |= Thread.interrupted(); // else each park returns at once
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
