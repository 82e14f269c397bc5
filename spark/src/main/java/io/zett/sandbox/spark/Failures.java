package io.zett.sandbox.spark;

import java.io.IOException;

/** What Spark says of a failure, without the traces that it puts into its messages. */
final class Failures {
  private Failures() {}

  /** One that says it in a line. */
  static IOException told(Exception failure) {
    return new IOException("Spark could not run it: " + text(failure), failure);
  }

  /** The first line of the innermost cause that says something. */
  static String text(Throwable failure) {
    Throwable innermost = failure;
    while (innermost.getCause() != null) {
      innermost = innermost.getCause();
    }
    return String.valueOf(innermost.getMessage()).lines().findFirst().orElse(innermost.toString());
  }
}
