package io.zett.sandbox.engine;

import io.zett.sandbox.Limit;
import io.zett.sandbox.limits.LimitGroup;
import io.zett.sandbox.limits.Sample;
import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.process.EventLoop;
import io.zett.sandbox.process.Timer;
import io.zett.sandbox.process.Watch;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a running command's limits when it is time to, on the event loop, and ends the command
 * once it went beyond one. {@link #exceeded} is final once {@link #stop} has returned.
 */
final class LimitWatch {
  private static final long LONG_STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long SHORT_STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final EventLoop loop;
  private final LimitGroup group;
  private final Runnable end;
  private volatile @Nullable Limit exceeded;
  private volatile @Nullable RuntimeException failure;
  private @Nullable Timer timer;
  private @Nullable Watch watch;
  private volatile boolean stopped;

  /**
   * A watch that has not begun.
   *
   * @param end ends the command
   */
  LimitWatch(EventLoop loop, LimitGroup group, Runnable end) {
    this.loop = loop;
    this.group = group;
    this.end = end;
  }

  void start() {
    if (group.needsSamples()) {
      loop.execute(() -> guarded(this::begin));
    }
  }

  /** A limit that nobody can look at any more is none: the command is ended. */
  private void guarded(Runnable look) {
    try {
      look.run();
    } catch (RuntimeException e) {
      failure = e;
      end.run();
    } catch (OutOfMemoryError e) {
      failure = Shortage.of("looking", e);
      end.run();
    }
  }

  private void begin() {
    if (stopped) {
      return;
    }
    if (group.event() >= 0) {
      watch = loop.watch(group.event(), Constants.EPOLLIN, _ -> guarded(this::eventArrived));
    }
    look();
  }

  private void eventArrived() {
    // Once is enough: the command is ended, or the notice came from the group's removal.
    unwatch();
    look();
  }

  private void look() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
    Sample sample = group.sample();
    if (sample.exceeded() != null) {
      exceeded = sample.exceeded();
      unwatch();
      end.run();
    } else if (sample.nextNanos() >= 0) {
      timer =
          loop.schedule(
              Duration.ofNanos(withOthers(sample.nextNanos())), () -> guarded(this::look));
    }
  }

  /**
   * A little sooner, so that the looks at all commands fall together: waking up costs as much as a
   * look does.
   */
  private static long withOthers(long nanos) {
    long step = nanos >= LONG_STEP_NANOS ? LONG_STEP_NANOS : SHORT_STEP_NANOS;
    long now = System.nanoTime();
    long due = now + Math.max(nanos, step);
    return due - Math.floorMod(due, step) - now;
  }

  private void unwatch() {
    if (watch != null) {
      loop.unwatch(watch);
      watch = null;
    }
  }

  /** Ends it, and returns when no look is under way any more; only then may the group be closed. */
  void stop() {
    if (stopped || !group.needsSamples()) {
      return;
    }
    if (loop.onLoop()) {
      stopOnLoop();
      return;
    }
    CountDownLatch done = new CountDownLatch(1);
    try {
      loop.execute(
          () -> {
            stopOnLoop();
            done.countDown();
          });
    } catch (RejectedExecutionException e) {
      return; // The loop has ended, and every look with it.
    }
    Uninterruptibly.await(done);
  }

  private void stopOnLoop() {
    unwatch();
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
    stopped = true;
  }

  /** Why the limits could not be looked at, for which the command was ended; null for none. */
  @Nullable RuntimeException failure() {
    return failure;
  }

  /** The limit that the command was ended for; null for none. */
  @Nullable Limit exceeded() {
    return exceeded;
  }
}
