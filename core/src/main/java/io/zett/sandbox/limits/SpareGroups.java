package io.zett.sandbox.limits;

import io.zett.sandbox.posix.PosixException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Has the next command's groups made while this one runs: making four bounded groups takes about as
 * long as a tenth of a command that does nothing. The first command makes its own, and nothing is
 * made ahead for a sandbox that runs only that. Thread-safe.
 */
final class SpareGroups implements AutoCloseable {
  private final Supplier<CommandGroups> maker;
  private final Object making = new Object();
  private @Nullable CommandGroups spare;
  private int taken;
  private boolean closed;

  SpareGroups(Supplier<CommandGroups> maker) {
    this.maker = maker;
  }

  /**
   * Groups that nobody else has.
   *
   * @throws PosixException if they cannot be made
   */
  CommandGroups take() {
    CommandGroups ready;
    boolean ahead;
    synchronized (this) {
      ready = spare;
      spare = null;
      ahead = ++taken > 1 && !closed;
    }
    if (ahead) {
      try {
        Thread.ofVirtual().name("zett-spare-groups").start(this::makeAhead);
      } catch (OutOfMemoryError e) {
        // No thread can be had: the next command makes its own.
      }
    }
    return ready == null ? maker.get() : ready;
  }

  private void makeAhead() {
    synchronized (making) {
      if (!isWanted()) {
        return;
      }
      CommandGroups made;
      try {
        made = maker.get();
      } catch (PosixException e) {
        return; // Whoever needs some makes them, and is told.
      }
      synchronized (this) {
        spare = made;
      }
    }
  }

  private synchronized boolean isWanted() {
    return spare == null && !closed;
  }

  /** Gives back what nobody took; none is made any more once this returns. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    synchronized (making) {
      CommandGroups left;
      synchronized (this) {
        left = spare;
        spare = null;
      }
      if (left != null) {
        left.close();
      }
    }
  }
}
