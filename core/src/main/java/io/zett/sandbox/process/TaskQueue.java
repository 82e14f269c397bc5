package io.zett.sandbox.process;

import io.zett.sandbox.posix.Posix;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;

/** What other threads want an {@link EventLoop} to do, and the descriptor that wakes it for it. */
final class TaskQueue {

  private final Posix posix;
  private final int wake;
  private final ByteBuffer count = ByteBuffer.allocateDirect(Long.BYTES);

  // Guarded by this: nobody may write to a descriptor that has been closed.
  private Collection<Runnable> tasks = new ArrayDeque<>();
  private boolean woken;
  private boolean ended;

  TaskQueue(Posix posix) {
    this.posix = posix;
    wake = posix.eventfd();
  }

  /** Readable when there is something to do. */
  int descriptor() {
    return wake;
  }

  /** Adds a task, and wakes the loop if it may be asleep; false after the end. */
  synchronized boolean offer(Runnable task, boolean fromLoop) {
    if (ended) {
      return false;
    }
    tasks.add(task);
    if (!woken && !fromLoop) {
      woken = true;
      posix.write(wake, count.clear().put(0, (byte) 1));
    }
    return true;
  }

  /** The loop is awake. */
  synchronized void awake() {
    posix.read(wake, count.clear());
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
      posix.close(wake);
    }
    return take();
  }
}
