package io.zett.sandbox.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Where this command writes. Text is UTF-8 whatever the locale says, and standard output is not
 * buffered: what a command wrote is passed on at once.
 *
 * @param out standard output
 * @param err standard error for our own words; failures to write to it are ignored, there is nobody
 *     to tell
 * @param rawErr the same for what a command wrote; a reader that has left is told to the command
 */
record Streams(OutputStream out, PrintStream err, OutputStream rawErr) {
  private static final Duration PATIENCE = Duration.ofMillis(500);

  static Streams standard() {
    FileOutputStream err = new FileOutputStream(FileDescriptor.err);
    return new Streams(
        new FileOutputStream(FileDescriptor.out),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        err);
  }

  /** Streams that are not the process's own. */
  Streams(OutputStream out, PrintStream err) {
    this(out, err, err);
  }

  /** Standard output for text; the caller flushes it. */
  PrintStream text() {
    return new PrintStream(out, false, StandardCharsets.UTF_8);
  }

  /**
   * One message to people; every one of them begins alike, so that scripts can tell whose it is.
   */
  void say(String message) {
    err.println("zett: " + message);
  }

  /**
   * The same, for at most half a second: whoever ended a command is not kept by one who does not
   * read.
   */
  void sayIfRead(String message) {
    Thread saying =
        Thread.ofPlatform().daemon().name("zett-last-words").unstarted(() -> say(message));
    try {
      saying.start();
      saying.join(PATIENCE);
    } catch (OutOfMemoryError noThread) {
      say(message);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
