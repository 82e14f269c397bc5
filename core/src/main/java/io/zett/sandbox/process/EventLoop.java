package io.zett.sandbox.process;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.PollEvent;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * One thread that waits for all descriptors and deadlines of all commands at once.
 *
 * <p>It is a daemon and lives as long as the library: a child's parent-death signal fires when the
 * <em>thread</em> that started it ends, so this is the only one that starts processes. Nothing is
 * polled. A handler that throws loses its own registration and nothing else; the library's logger
 * is told.
 *
 * <p>Close it before the JVM exits: {@code System.exit} waits 300 ms for a thread that sits in a
 * native call, even a daemon's.
 */
public final class EventLoop implements AutoCloseable {

  /** Somebody whose work the loop must not end before. */
  interface Guest {
    /** The loop is closing: end soon. On the loop's thread. */
    void loopIsClosing();

    /** The loop has ended before the guest did; nothing will happen any more. */
    void loopHasEnded(Throwable cause);

    /** Whether it has nothing to do but to go. */
    default boolean isLeaving() {
      return false;
    }
  }

  /** Somebody who waits for those that were leaving. */
  private record Farewell(Set<Guest> rest, CompletableFuture<Void> done) {
    boolean isOver(Guest gone) {
      rest.remove(gone);
      return rest.isEmpty() && done.complete(null);
    }
  }

  private static final int BATCH = 64;

  /** How long it waits when this JVM has no memory left. */
  private static final long PAUSE_NANOS = 1_000_000;

  private static final long FAREST = Long.MAX_VALUE / 4;

  /** After so many failures in a row waiting will not work any more. */
  private static final int MOST_FAILURES = 100;

  /** How long closing waits for processes that cannot be killed (in the kernel, on a dead disk). */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Posix posix;
  private final int epoll;
  private final TaskQueue tasks;
  private final Thread thread;
  private final VirtualThreads virtualThreads;
  private final ByteBuffer scratch = ByteBuffer.allocateDirect(1 << 16);

  private final Map<Long, Watch> watches = new HashMap<>();
  private final TreeSet<Timer> timers = new TreeSet<>();
  private final Set<Guest> guests = new LinkedHashSet<>();
  private final List<Farewell> farewells = new ArrayList<>();
  private final AtomicLong timerNumbers = new AtomicLong();
  private long watchNumbers = 1; // 0 is the wake-up
  private int failures;
  private boolean closing;
  private boolean outOfPatience;
  private volatile boolean ended;

  private EventLoop(Posix posix, VirtualThreads virtualThreads) {
    this.posix = posix;
    this.virtualThreads = virtualThreads;
    epoll = posix.epollCreate();
    TaskQueue queue = null;
    try {
      queue = new TaskQueue(posix);
      posix.epollCtl(epoll, Constants.EPOLL_CTL_ADD, queue.descriptor(), Constants.EPOLLIN, 0);
    } catch (RuntimeException e) {
      if (queue != null) {
        queue.end();
      }
      posix.close(epoll);
      throw e;
    }
    tasks = queue;
    thread =
        Thread.ofPlatform()
            .name("zett-sandbox-loop")
            .daemon()
            .inheritInheritableThreadLocals(false)
            .uncaughtExceptionHandler((_, failure) -> report(failure))
            .unstarted(this::run);
    thread.setContextClassLoader(null);
  }

  /**
   * A loop that runs.
   *
   * @throws OutOfMemoryError if no threads can be had
   * @throws PosixException if the kernel refuses what it needs
   */
  public static EventLoop start(Posix posix) {
    VirtualThreads virtualThreads = VirtualThreads.open();
    EventLoop loop = null;
    try {
      loop = new EventLoop(posix, virtualThreads);
      loop.thread.start();
      return loop;
    } catch (OutOfMemoryError | PosixException e) {
      virtualThreads.close();
      if (loop != null) {
        loop.tasks.end();
        posix.close(loop.epoll);
      }
      throw e;
    }
  }

  /** For what must not run on the loop. */
  public VirtualThreads virtualThreads() {
    return virtualThreads;
  }

  /** Whether it does nothing any more: it was closed, or it could not go on. */
  public boolean hasEnded() {
    return ended;
  }

  /** Whether the caller is the loop's thread. */
  public boolean onLoop() {
    return Thread.currentThread() == thread;
  }

  /**
   * Runs a task on the loop's thread, in the order of the calls. From any thread.
   *
   * @throws RejectedExecutionException if the loop has ended
   */
  public void execute(Runnable task) {
    if (!offer(task)) {
      throw new RejectedExecutionException("the event loop has ended");
    }
  }

  /** As {@link #execute}, but false when the loop has ended. */
  boolean offer(Runnable task) {
    return tasks.offer(task, onLoop());
  }

  /** Runs an action once after a time. From any thread. */
  public Timer schedule(Duration delay, Runnable action) {
    long nanos;
    try {
      nanos = delay.toNanos();
    } catch (ArithmeticException tooFar) {
      nanos = FAREST;
    }
    long at = System.nanoTime() + Math.clamp(nanos, 0, FAREST);
    Timer timer = new Timer(this, at, timerNumbers.incrementAndGet(), action);
    if (onLoop()) {
      timers.add(timer);
    } else {
      execute(() -> timers.add(timer));
    }
    return timer;
  }

  void forget(Timer timer) {
    if (onLoop()) {
      timers.remove(timer);
    } else {
      offer(() -> timers.remove(timer)); // after the end there is nothing to forget
    }
  }

  /** Watches a descriptor for {@code EPOLL} events, on the loop's thread. */
  public Watch watch(int fd, int events, Watch.Handler handler) {
    Watch watch = new Watch(posix, epoll, fd, watchNumbers++, handler);
    watch.want(events);
    watches.put(watch.number(), watch);
    return watch;
  }

  /** Ends a registration; to be called before the descriptor is closed. */
  public void unwatch(Watch watch) {
    if (watches.remove(watch.number()) != null) {
      try {
        watch.want(0);
      } catch (PosixException e) {
        // The kernel refuses only what is not registered (any more): the same to us.
      }
    }
  }

  /** 64 KiB that a handler may use until it returns. */
  ByteBuffer scratch() {
    return scratch.clear();
  }

  /** Keeps the loop alive until {@link #detach}; false when it is closing. */
  boolean attach(Guest guest) {
    if (!closing) {
      guests.add(guest);
    }
    return !closing;
  }

  void detach(Guest guest) {
    guests.remove(guest);
    farewells.removeIf(each -> each.isOver(guest));
  }

  /** Waits for the guests that are leaving now to be gone. Not on the loop's thread. */
  public void awaitLeaving() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    if (offer(() -> awaitLeaving(done))) {
      done.join();
    }
  }

  private void awaitLeaving(CompletableFuture<Void> done) {
    Set<Guest> leaving = new HashSet<>(guests);
    leaving.removeIf(guest -> !guest.isLeaving());
    if (leaving.isEmpty()) {
      done.complete(null);
    } else {
      farewells.add(new Farewell(leaving, done));
    }
  }

  /** Ends every command, waits for them, and ends the thread. Twice is harmless. */
  @Override
  public void close() {
    offer(this::beginClosing);
    boolean interrupted = false;
    while (!onLoop()) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void beginClosing() {
    if (!closing) {
      closing = true;
      schedule(PATIENCE, () -> outOfPatience = true);
      new ArrayList<>(guests).forEach(guest -> protect(guest::loopIsClosing));
    }
  }

  private void run() {
    Throwable cause = new RejectedExecutionException("the event loop was closed");
    try {
      while (!isOver()) {
        try {
          turn();
        } catch (OutOfMemoryError e) {
          // Nothing is lost by it: what is ready is told again. Others give some back soon.
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
    } catch (Throwable e) {
      cause = e;
      throw e;
    } finally {
      end(cause);
    }
  }

  private boolean isOver() {
    return closing && (guests.isEmpty() || outOfPatience);
  }

  private void turn() {
    for (int left = tasks.count(); left > 0; left--) {
      protect(tasks.first());
      tasks.removeFirst();
    }
    int millis = runTimers();
    if (!isOver()) {
      dispatch(await(millis));
    }
  }

  /** What is ready; nothing when the kernel lacked something and may have it the next time. */
  private List<PollEvent> await(int millis) {
    try {
      List<PollEvent> events = posix.epollWait(epoll, BATCH, millis);
      failures = 0;
      return events;
    } catch (PosixException e) {
      if (++failures == MOST_FAILURES) {
        throw e;
      }
      return List.of();
    }
  }

  private void end(Throwable cause) {
    ended = true;
    closing = true;
    for (Guest guest : new ArrayList<>(guests)) {
      finish(() -> guest.loopHasEnded(cause));
    }
    tasks.end();
    while (tasks.count() > 0) {
      finish(tasks.first()::run); // a start among them finds the loop closing
      tasks.removeFirst();
    }
    posix.close(epoll);
    virtualThreads.close();
  }

  /** Runs what is due; the milliseconds until the next, rounded up, or -1. */
  private int runTimers() {
    while (!timers.isEmpty()) {
      long left = timers.first().at() - System.nanoTime();
      if (left > 0) {
        return tasks.count() > 0
            ? 0
            : (int) Math.min(Integer.MAX_VALUE, (left + 999_999) / 1_000_000);
      }
      Timer due = timers.first();
      protect(due::fire);
      timers.remove(due);
    }
    return tasks.count() > 0 ? 0 : -1;
  }

  private void dispatch(List<PollEvent> events) {
    for (PollEvent event : events) {
      if (event.data() == 0) {
        tasks.awake();
        continue;
      }
      Watch watch = watches.get(event.data());
      if (watch != null) {
        dispatch(watch, event.events());
      }
    }
  }

  private void dispatch(Watch watch, int events) {
    try {
      watch.ready(events);
    } catch (OutOfMemoryError e) {
      throw e; // it is as ready as before
    } catch (Throwable e) {
      report(e);
      protect(() -> unwatch(watch)); // or it would be ready, and throw, for ever
    }
  }

  /**
   * Runs what must not end the loop.
   *
   * @throws OutOfMemoryError if there was not even enough to hand it to the command's safety net;
   *     then it has done nothing and is to be run again
   */
  private void protect(Runnable action) {
    try {
      action.run();
    } catch (OutOfMemoryError e) {
      throw e;
    } catch (Throwable e) {
      report(e);
    }
  }

  /** As {@link #protect}, when there is no other time. */
  private void finish(Runnable action) {
    try {
      protect(action);
    } catch (OutOfMemoryError e) {
      report(e);
    }
  }

  private static void report(Throwable failure) {
    try {
      System.getLogger("io.zett.sandbox")
          .log(System.Logger.Level.WARNING, "something failed on the event loop", failure);
    } catch (Throwable ignored) {
      // A logger of the application's that throws must not end the loop either.
    }
  }
}
