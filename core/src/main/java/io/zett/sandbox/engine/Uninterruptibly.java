package io.zett.sandbox.engine;

import java.util.concurrent.CountDownLatch;

/** Waiting that goes on when the thread is interrupted, and keeps the flag. */
final class Uninterruptibly {
  private Uninterruptibly() {}

  static void await(CountDownLatch latch) {
    boolean interrupted = false;
    while (true) {
      try {
        latch.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
