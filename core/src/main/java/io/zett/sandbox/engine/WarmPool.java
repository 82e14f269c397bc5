package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.host.HostView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sandboxes that are built ahead of their commands; each serves one. They are made one after the
 * other on a thread of the pool's own, which lives only while something is to be made. Thread-safe.
 */
final class WarmPool implements AutoCloseable {
  /** Long before anything that a sandbox holds could go stale without being seen. */
  private static final long OLDEST_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final Opened opened;
  private final int size;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private @Nullable Object maker; // whoever makes them now
  private @Nullable Prepared inTheMaking;
  private int leaving;
  private long taken;
  private boolean closed;

  private record Waiting(Prepared sandbox, long since) {}

  /**
   * A pool that makes nothing yet.
   *
   * @param size how many wait; 0 for none
   */
  WarmPool(Opened opened, int size) {
    this.opened = opened;
    this.size = size;
  }

  /**
   * One that is as a new one would be; null when there is none. The caller closes it.
   *
   * @throws SandboxSetupException if the disk cannot be looked at
   */
  @Nullable Prepared take() {
    synchronized (this) {
      if (waiting.isEmpty()) {
        refill();
        return null;
      }
    }
    HostView now = opened.survey().look();
    List<Prepared> stale = new ArrayList<>();
    Prepared found = null;
    synchronized (this) {
      while (found == null && !waiting.isEmpty()) {
        Waiting next = waiting.removeFirst();
        boolean old = System.nanoTime() - next.since > OLDEST_NANOS;
        if (!old && next.sandbox.isAsPlannedFor(now)) {
          found = next.sandbox;
          taken++;
        } else {
          stale.add(next.sandbox);
        }
      }
      refill();
    }
    discard(stale);
    return found;
  }

  /** Has what is missing made. */
  synchronized void refill() {
    if (maker == null && !closed && waiting.size() < size) {
      Object made = new Object();
      maker = made;
      opened
          .loop()
          .virtualThreads()
          .start(
              "zett-warm", () -> make(made), _ -> goesOn(made, false)); // The next one asks again.
    }
  }

  /** How many wait for a command. */
  synchronized int count() {
    return waiting.size();
  }

  /** How many commands have found one. */
  synchronized long taken() {
    return taken;
  }

  private void make(Object self) {
    try {
      boolean more;
      do {
        boolean made = makeOne();
        more = goesOn(self, made);
      } while (more);
    } finally {
      goesOn(self, false);
    }
  }

  private synchronized boolean goesOn(Object self, boolean made) {
    boolean more = made && !closed && waiting.size() < size;
    if (!more && self.equals(maker)) {
      maker = null;
      notifyAll();
    }
    return more;
  }

  /** False when there is no use in trying again now: the next command is told why. */
  private boolean makeOne() {
    Prepared made;
    try {
      made = Preparation.of(opened);
    } catch (SandboxSetupException e) {
      return false;
    }
    boolean stands = false;
    try {
      CompletableFuture<Boolean> standing = made.buildAhead();
      synchronized (this) {
        inTheMaking = made;
        if (closed) {
          made.end();
        }
      }
      stands = standing.join();
      synchronized (this) {
        inTheMaking = null;
        stands &= !closed;
        if (stands) {
          waiting.addLast(new Waiting(made, System.nanoTime()));
        }
      }
    } catch (RejectedExecutionException e) {
      return false; // The loop has ended, and the session with it.
    } finally {
      if (!stands) {
        endAndClose(made);
      }
    }
    if (stands) {
      made.ending().whenComplete((_, _) -> forget(made));
    }
    return stands;
  }

  /** It ended before it was used. On the event loop, where nothing may block. */
  private void forget(Prepared sandbox) {
    synchronized (this) {
      if (!waiting.removeIf(each -> each.sandbox.equals(sandbox))) {
        return;
      }
    }
    discard(List.of(sandbox));
    refill();
  }

  /** Ends and closes sandboxes that were taken out and are not used, without waiting for that. */
  void discard(List<Prepared> sandboxes) {
    if (sandboxes.isEmpty()) {
      return;
    }
    synchronized (this) {
      leaving++;
    }
    opened
        .loop()
        .virtualThreads()
        .start("zett-discard", () -> discardHere(sandboxes), _ -> discardHere(sandboxes));
  }

  private void discardHere(List<Prepared> sandboxes) {
    try {
      sandboxes.stream().filter(Prepared::isBuilt).forEach(Prepared::end);
      sandboxes.forEach(WarmPool::endAndClose);
    } finally {
      synchronized (this) {
        leaving--;
        notifyAll();
      }
    }
  }

  /** Ends one, waits until it is dead, and closes it. */
  static void endAndClose(Prepared sandbox) {
    try {
      if (sandbox.isBuilt()) {
        sandbox.end();
        sandbox.ending().exceptionally(_ -> null).join();
      }
    } finally {
      sandbox.close();
    }
  }

  /** Ends all that wait, and waits until they are dead. */
  @Override
  public void close() {
    List<Prepared> left = new ArrayList<>();
    synchronized (this) {
      closed = true;
      waiting.forEach(each -> left.add(each.sandbox));
      waiting.clear();
      if (inTheMaking != null) {
        inTheMaking.end();
      }
    }
    left.forEach(Prepared::end);
    left.forEach(WarmPool::endAndClose);
    awaitOthers();
  }

  private synchronized void awaitOthers() {
    boolean interrupted = false;
    while (maker != null || leaving > 0) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
