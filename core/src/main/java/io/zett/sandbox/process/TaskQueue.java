package io.zett.sandbox.process;

import io.zett.sandbox.posix.Posix;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;

/** What other threads want an {@link EventLoop} to do, and the descriptor that wakes it for it. */
final class TaskQueue {

  /** A write that is refused and never repeated would let the loop sleep for ever. */
  private static final int ATTEMPTS = 10;

  private final Posix posix;
  private final int event;
  private final ByteBuffer count = ByteBuffer.allocateDirect(Long.BYTES);

  // Guarded by this: nobody may write to a descriptor that has been closed.
  private Collection<Runnable> tasks = new ArrayDeque<>();
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

  synchronized boolean isEmpty() {
    return tasks.isEmpty();
  }

  /** Takes all, in their order. */
  synchronized Collection<Runnable> take() {
    if (tasks.isEmpty()) {
      return List.of();
    }
    Collection<Runnable> taken = tasks;
    tasks = new ArrayDeque<>();
    return taken;
  }

  /** Takes the last and no more. */
  synchronized Collection<Runnable> end() {
    if (!ended) {
      ended = true;
      posix.close(event);
    }
    return take();
  }
}
