package io.zett.sandbox.process;

import io.zett.sandbox.posix.Posix;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/** What other threads want an {@link EventLoop} to do, and the descriptor that wakes it for it. */
final class TaskQueue {

  /** A write that is refused and never repeated would let the loop sleep for ever. */
  private static final int ATTEMPTS = 10;

  private final Posix posix;
  private final int event;
  private final ByteBuffer one = ByteBuffer.allocateDirect(Long.BYTES);
  private final ByteBuffer count = ByteBuffer.allocateDirect(Long.BYTES);

  // Guarded by this.
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private boolean woken;
  private boolean ended;
  private int writers; // nobody may write to a descriptor that has been closed

  TaskQueue(Posix posix) {
    this.posix = posix;
    event = posix.eventfd();
    one.put(0, (byte) 1); // any number but 0 wakes
  }

  /** Readable when there is something to do. */
  int descriptor() {
    return event;
  }

  /** Adds a task, and wakes the loop if it may be asleep; false after the end. */
  boolean offer(Runnable task, boolean fromLoop) {
    ByteBuffer wakeUp = one.duplicate(); // while nothing has happened yet
    synchronized (this) {
      if (ended) {
        return false;
      }
      tasks.add(task);
      if (woken || fromLoop) {
        return true;
      }
      woken = true;
      writers++;
    }
    // Not in the lock: the loop would wake up and wait for it.
    boolean written = false;
    try {
      written = wake(wakeUp);
    } finally {
      synchronized (this) {
        woken &= written;
        writers--;
        closeIfDone();
      }
    }
    return true;
  }

  private boolean wake(ByteBuffer wakeUp) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (posix.write(event, wakeUp.clear()) == Long.BYTES) {
        return true;
      }
    }
    return false;
  }

  /** The loop is awake. */
  void awake() {
    posix.read(event, count.clear());
    synchronized (this) {
      woken = false;
    }
  }

  /** How many wait. */
  synchronized int count() {
    return tasks.size();
  }

  /** The first, of which there must be one; it stays. */
  synchronized Runnable first() {
    return tasks.getFirst();
  }

  /** Takes the first away. */
  synchronized void removeFirst() {
    tasks.removeFirst();
  }

  /** Takes no more; what waits is still to be taken. */
  synchronized void end() {
    if (!ended) {
      ended = true;
      closeIfDone();
    }
  }

  private void closeIfDone() {
    if (ended && writers == 0) {
      posix.close(event);
    }
  }
}
