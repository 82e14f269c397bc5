package io.zett.sandbox.process;

import org.jspecify.annotations.Nullable;

/** Something that an {@link EventLoop} will run once, unless it is cancelled before. */
public final class Timer implements Comparable<Timer> {

  private final EventLoop loop;
  private final long at;
  private final long number;
  private volatile @Nullable Runnable action;

  Timer(EventLoop loop, long at, long number, Runnable action) {
    this.loop = loop;
    this.at = at;
    this.number = number;
    this.action = action;
  }

  /** Makes sure that it does not run any more; harmless when it has. From any thread. */
  public void cancel() {
    if (action != null) {
      action = null; // at once, since a cancelled timer must not hold on to its command
      loop.forget(this);
    }
  }

  long at() {
    return at;
  }

  void fire() {
    Runnable current = action;
    if (current != null) {
      current.run();
      action = null; // not before there was memory for what it does
    }
  }

  /** By time; {@code nanoTime} may wrap, so only differences count. */
  @Override
  public int compareTo(Timer other) {
    int byTime = Long.signum(at - other.at);
    return byTime != 0 ? byTime : Long.compare(number, other.number);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(number);
  }
}
