package io.zett.sandbox.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * How far a batch has come, on standard error, when that is a terminal: a line that is written over
 * itself. For one thread at a time.
 */
final class BatchProgress {
  private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final int WIDTH = 20;
  private static final String OVER = "\r\u001b[K";

  private final Streams streams;
  private final OptionalLong all;
  private final boolean shown;
  private final long began = System.nanoTime();
  private long lastShown = began;
  private long done;

  /**
   * One that has nothing to show yet.
   *
   * @param all how many jobs there are; empty where that is not known
   */
  BatchProgress(Streams streams, OptionalLong all, boolean shown) {
    this.streams = streams;
    this.all = all;
    this.shown = shown;
  }

  /** Whether there is somebody to show it to. */
  static boolean isTerminal() {
    try {
      String target = Files.readSymbolicLink(STANDARD_ERROR).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** One more has ended. */
  void ended() {
    done++;
    long now = System.nanoTime();
    if (shown && (now - lastShown >= PAUSE_NANOS || all.isPresent() && done == all.getAsLong())) {
      lastShown = now;
      streams.err().print(OVER + line(Duration.ofNanos(now - began)));
      streams.err().flush();
    }
  }

  String line(Duration time) {
    double rate = done / Math.max(time.toNanos() / 1e9, 1e-9);
    if (all.isEmpty()) {
      return String.format(Locale.ROOT, "%d done, %.1f/s", done, rate);
    }
    long left = Math.max(0, all.getAsLong() - done);
    int filled = (int) Math.min(WIDTH, WIDTH * done / Math.max(1, all.getAsLong()));
    return String.format(
        Locale.ROOT,
        "[%s%s] %d of %d, %.1f/s, %s left",
        "#".repeat(filled),
        ".".repeat(WIDTH - filled),
        done,
        all.getAsLong(),
        rate,
        clock(Math.round(left / rate)));
  }

  private static String clock(long seconds) {
    return seconds < 3600
        ? String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60)
        : String.format(
            Locale.ROOT, "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
  }

  /** Takes the line away. */
  void end() {
    if (shown) {
      streams.err().print(OVER);
      streams.err().flush();
    }
  }
}
