package io.zett.sandbox.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Where this command writes. Text is UTF-8 whatever the locale says, and standard output is not
 * buffered: what a command wrote is passed on at once.
 *
 * @param out standard output
 * @param err standard error; failures to write to it are ignored, there is nobody to tell
 */
record Streams(OutputStream out, PrintStream err) {

  static Streams standard() {
    return new Streams(
        new FileOutputStream(FileDescriptor.out),
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
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
}
