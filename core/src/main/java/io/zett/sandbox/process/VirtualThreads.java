package io.zett.sandbox.process;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Starts virtual threads, and sees to those that the JVM forgets. When no native thread can be had,
 * a virtual thread may be queued although nothing serves the queue, without a word to who started
 * it; it would stay there until somebody starts another one, if threads can be had by then (JDK
 * 25). A thread of this class, made while there are threads, looks after those that have not begun
 * within a second. It sleeps when nothing is started. Thread-safe.
 */
public final class VirtualThreads implements AutoCloseable {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Set<Start> unbegun = ConcurrentHashMap.newKeySet();
  private final Thread patrol;
  private volatile boolean resting;
  private volatile boolean closed;

  private VirtualThreads() {
    patrol =
        Thread.ofPlatform()
            .name("zett-sandbox-patrol")
            .daemon()
            .inheritInheritableThreadLocals(false)
            .unstarted(this::patrol);
    patrol.setContextClassLoader(null);
  }

  /**
   * Has the JVM make what its virtual threads need, while there are threads for that. If the first
   * one of a JVM is wanted when no native thread can be had, their class cannot be initialised, and
   * is of no use for as long as that JVM lives (JDK 25).
   *
   * @throws OutOfMemoryError if no thread can be had, or none could be when this JVM first wanted a
   *     virtual one
   */
  public static VirtualThreads open() {
    try {
      Thread.ofVirtual().unstarted(() -> {});
    } catch (ExceptionInInitializerError | NoClassDefFoundError e) {
      OutOfMemoryError told =
          new OutOfMemoryError(
              "unable to create the native threads that virtual threads need; this JVM does not try"
                  + " again, so start another");
      told.initCause(e);
      throw told;
    }
    VirtualThreads opened = new VirtualThreads();
    opened.patrol.start();
    return opened;
  }

  /**
   * Runs a task as soon as a thread can be had, whenever that is.
   *
   * @throws OutOfMemoryError if there is no memory to remember it
   */
  public void start(String name, Runnable task) {
    start(new Start(name, task, null));
  }

  /**
   * Runs a task, or tells within about a second that no thread can be had.
   *
   * @param refused called instead of the task, on this thread or on another one that may wait, but
   *     not for ever
   */
  public void start(String name, Runnable task, Consumer<OutOfMemoryError> refused) {
    try {
      start(new Start(name, task, refused));
    } catch (OutOfMemoryError e) {
      refused.accept(e);
    }
  }

  private void start(Start start) {
    unbegun.add(start);
    attempt(start);
    if (resting || !start.queued) {
      resting = false;
      LockSupport.unpark(patrol);
    }
  }

  private void attempt(Start start) {
    try {
      Thread.ofVirtual().name(start.name).start(() -> begin(start));
      start.queued = true;
    } catch (OutOfMemoryError e) {
      start.queued = false; // It may be in the queue all the same, where it does nothing.
    }
  }

  private void begin(Start start) {
    if (start.claim()) {
      unbegun.remove(start);
      start.task.run();
    }
  }

  private void patrol() {
    while (!closed || !unbegun.isEmpty()) {
      resting = unbegun.isEmpty();
      if (resting && unbegun.isEmpty() && !closed) {
        LockSupport.park(this);
      }
      if (!closed || !unbegun.isEmpty()) {
        LockSupport.parkNanos(this, PATIENCE_NANOS);
      }
      try {
        long now = System.nanoTime();
        help(unbegun.stream().filter(each -> each.isLate(now)).toList());
      } catch (OutOfMemoryError e) {
        // There may be memory the next time.
      }
    }
  }

  private void help(List<Start> late) {
    if (late.isEmpty()) {
      return;
    }
    try {
      Thread.ofVirtual().start(() -> {}); // Any start has the JVM see that its queue is served.
    } catch (OutOfMemoryError e) {
      late.forEach(each -> refuse(each, e));
      return;
    }
    late.stream().filter(each -> !each.queued).forEach(this::attempt);
  }

  private void refuse(Start start, OutOfMemoryError reason) {
    if (start.refused != null && start.claim()) {
      unbegun.remove(start);
      start.refused.accept(reason);
    }
  }

  /** Ends once everything has begun; nothing may be started any more. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(patrol);
  }

  private static final class Start {
    private final String name;
    private final Runnable task;
    private final @Nullable Consumer<OutOfMemoryError> refused;
    private final long since = System.nanoTime();
    private final AtomicBoolean claimed = new AtomicBoolean();
    private volatile boolean queued;

    Start(String name, Runnable task, @Nullable Consumer<OutOfMemoryError> refused) {
      this.name = name;
      this.task = task;
      this.refused = refused;
    }

    boolean isLate(long now) {
      return !queued || now - since >= PATIENCE_NANOS;
    }

    /** True once: for whoever runs or refuses it. */
    boolean claim() {
      return claimed.compareAndSet(false, true);
    }
  }
}
