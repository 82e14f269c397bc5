package io.zett.sandbox.engine;

import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;

/**
 * Lets a bounded number of commands run at once; the rest wait in the order in which they came.
 *
 * <p>A waiting command is a future and not a blocked thread, so that a thousand of them cost a
 * thousand small objects. Thread-safe.
 */
final class CommandGate {
  private final ArrayDeque<CompletableFuture<Void>> waiting = new ArrayDeque<>();
  private int free;

  CommandGate(int permits) {
    free = permits;
  }

  /** A future that is complete once the command may start; its place must then be given back. */
  synchronized CompletableFuture<Void> enter() {
    if (free > 0) {
      free--;
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Void> turn = new CompletableFuture<>();
    waiting.add(turn);
    return turn;
  }

  /** Gives a place back, or gives up waiting for one, whichever it is. */
  void leave(CompletableFuture<Void> turn) {
    CompletableFuture<Void> next;
    synchronized (this) {
      if (waiting.remove(turn)) {
        return;
      }
      next = waiting.poll();
      if (next == null) {
        free++;
      }
    }
    if (next != null) {
      next.complete(null);
    }
  }
}
