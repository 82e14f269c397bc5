package io.zett.sandbox.limits;

import io.zett.sandbox.Limit;
import org.jspecify.annotations.Nullable;

/**
 * What one look at a running command found.
 *
 * @param exceeded the limit that it went beyond; null when none
 * @param nextNanos when to look again, in nanoseconds from now; negative: never
 */
public record Sample(@Nullable Limit exceeded, long nextNanos) {
  static final Sample NEVER_AGAIN = new Sample(null, -1);

  static Sample over(Limit limit) {
    return new Sample(limit, -1);
  }

  static Sample again(long nanos) {
    return new Sample(null, nanos);
  }

  /** The first limit that either found; else the sooner of the two next looks. */
  Sample and(Sample other) {
    if (exceeded != null) {
      return this;
    }
    if (other.exceeded != null || nextNanos < 0) {
      return other;
    }
    return other.nextNanos < 0 || nextNanos < other.nextNanos ? this : other;
  }
}
