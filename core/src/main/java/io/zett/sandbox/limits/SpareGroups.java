package io.zett.sandbox.limits;

import io.zett.sandbox.posix.PosixException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Has the next command's groups ready while this one runs: used ones made as new where that can be,
 * else new ones. The first command makes its own, and nothing is made ahead for a sandbox that runs
 * only that. Thread-safe.
 */
final class SpareGroups implements AutoCloseable {
  /** So many wait at most when many commands have run at once. */
  private static final int MOST_KEPT = 16;

  private final Supplier<CommandGroups> maker;
  private final Object making = new Object();
  private final Deque<CommandGroups> ready = new ArrayDeque<>();
  private final Deque<CommandGroups> used = new ArrayDeque<>();
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
    CommandGroups found;
    boolean ahead;
    synchronized (this) {
      found = ready.poll();
      ahead = ++taken > 1 && !closed && ready.isEmpty();
    }
    if (ahead) {
      try {
        Thread.ofVirtual().name("zett-spare-groups").start(this::prepareAhead);
      } catch (OutOfMemoryError e) {
        // No thread can be had: the next command makes its own.
      }
    }
    return found == null ? prepare() : found;
  }

  /** Used ones made as new, or new ones. */
  private CommandGroups prepare() {
    for (int left = usedCount(); left > 0; left--) {
      CommandGroups each = nextUsed();
      if (each == null) {
        break;
      }
      if (each.hasUnburied()) {
        giveBack(each); // The next time.
      } else if (each.renew()) {
        return each;
      } else {
        each.close();
      }
    }
    return maker.get();
  }

  private synchronized int usedCount() {
    return used.size();
  }

  private synchronized @Nullable CommandGroups nextUsed() {
    return used.poll();
  }

  /** Takes back what {@link #take} gave; nothing lives in them any more. */
  void giveBack(CommandGroups done) {
    done.closeDescriptors();
    synchronized (this) {
      if (!closed && done.isRenewable() && ready.size() + used.size() < MOST_KEPT) {
        used.add(done);
        return;
      }
    }
    done.close();
  }

  private void prepareAhead() {
    synchronized (making) {
      if (!isWanted()) {
        return;
      }
      CommandGroups prepared;
      try {
        prepared = prepare();
      } catch (PosixException e) {
        return; // Whoever needs some makes them, and is told.
      }
      synchronized (this) {
        ready.add(prepared);
      }
    }
  }

  private synchronized boolean isWanted() {
    return ready.isEmpty() && !closed;
  }

  /** Removes what nobody has; none is made any more once this returns. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    synchronized (making) {
      List<CommandGroups> left;
      synchronized (this) {
        left = new ArrayList<>(ready);
        left.addAll(used);
        ready.clear();
        used.clear();
      }
      left.forEach(CommandGroups::close);
    }
  }
}
