package io.zett.sandbox.benchmarks;

import java.io.IOException;
import java.util.List;

/** Other programs, run for what they do or say. */
final class Programs {
  private Programs() {}

  /**
   * Runs a program to its end.
   *
   * @throws IOException if it cannot be started or does not succeed
   */
  static void run(List<String> command) throws IOException {
    int status = waitFor(new ProcessBuilder(command).inheritIO().start());
    if (status != 0) {
      throw new IOException(String.join(" ", command) + " ended with status " + status);
    }
  }

  /** The first line of what a program prints; empty when it cannot be had. */
  static String firstLine(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String text = new String(process.getInputStream().readAllBytes());
      return waitFor(process) == 0 ? text.lines().findFirst().orElse("").strip() : "";
    } catch (IOException e) {
      return "";
    }
  }

  private static int waitFor(Process process) throws IOException {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
