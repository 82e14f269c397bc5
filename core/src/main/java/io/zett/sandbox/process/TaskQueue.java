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
  private final ByteBuffer count = ByteBuffer.allocateDirect(Long.BYTES);

  // Guarded by this: nobody may write to a descriptor that has been closed.
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private boolean woken;
  private boolean ended;

  TaskQueue(Posix posix) {
    this.posix = posix;
    event = posix.eventfd();
  }

  /** Readable when there is something to do. */
  int descriptor() {
    return event;
  }

  /** Adds a task, and wakes the loop if it may be asleep; false after the end. */
  synchronized boolean offer(Runnable task, boolean fromLoop) {
    if (ended) {
      return false;
    }
    tasks.add(task);
    for (int attempt = 0; attempt < ATTEMPTS && !woken && !fromLoop; attempt++) {
      woken = wake();
    }
    return true;
  }

  private boolean wake() {
    return posix.write(event, count.clear().put(0, (byte) 1)) == Long.BYTES;
  }

  /** The loop is awake. */
  synchronized void awake() {
    posix.read(event, count.clear());
    woken = false;
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
      posix.close(event);
    }
  }
}
