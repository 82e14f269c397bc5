package io.zett.sandbox;

import java.time.Duration;

/** Durations as people read them. */
final class Durations {
  private Durations() {}

  /** Such as {@code 1.5 s} or {@code 12 ms}. */
  static String format(Duration duration) {
    if (duration.compareTo(Duration.ofSeconds(1)) < 0) {
      return duration.toNanos() / 1_000_000.0 + " ms";
    }
    int millis = duration.toMillisPart();
    return duration.toSeconds() + (millis == 0 ? "" : "." + digits(millis)) + " s";
  }

  private static String digits(int millis) {
    return "%03d".formatted(millis).replaceAll("0+$", "");
  }
}
