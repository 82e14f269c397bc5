package io.zett.sandbox.portable;

import java.io.IOException;
import java.util.List;

/** Signals to one process: on Unix by {@code kill}, the shell's own; Windows has none. */
final class Signalling {
  private static final int TERM = 15;
  private static final int KILL = 9;

  private final ProcessHandle process;
  private final boolean posix;

  Signalling(ProcessHandle process, boolean posix) {
    this.process = process;
    this.posix = posix;
  }

  /** Sends it; on Windows those that end a program by default end it, and others do nothing. */
  void send(int signal) {
    if (signal == KILL) {
      process.destroyForcibly();
    } else if (signal == TERM) {
      process.destroy();
    } else if (posix) {
      byNumber(signal);
    } else if (signal == 1 || signal == 2 || signal == 3) {
      process.destroyForcibly();
    }
  }

  private void byNumber(int signal) {
    if (!process.isAlive()) {
      return;
    }
    try {
      Start.output(
          List.of(
              "/bin/sh",
              "-c",
              "kill -\"$1\" \"$2\"",
              "sh",
              Integer.toString(signal),
              Long.toString(process.pid())));
    } catch (IOException e) {
      // It has ended meanwhile.
    }
  }
}
