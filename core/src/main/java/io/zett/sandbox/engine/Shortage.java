package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.PosixException;

/** What this machine or this JVM ran short of, in words that say how to mend it. */
final class Shortage {
  private static final String PROCESSES =
      "raise the limit of processes and threads (ulimit -u, or pids.max of the control group)";

  private Shortage() {}

  /** What the kernel said, and how to mend it if it is a shortage. */
  static String explained(PosixException e) {
    return explained(String.valueOf(e.getMessage()), e.errno());
  }

  /**
   * The same for a text of a launcher's or of zett-init's.
   *
   * @param errno the kernel's error number; 0 when the text alone is known
   */
  static String explained(String text, int errno) {
    String mend =
        switch (errno) {
          case Errno.EMFILE -> "raise this process's limit of open files (ulimit -n)";
          case Errno.ENFILE -> "raise the machine's limit of open files (fs.file-max)";
          case Errno.ENOMEM -> "free some memory, or raise the bound that this process is under";
          case Errno.ENOSPC, Errno.EDQUOT -> "free some space or files there";
          case Errno.EAGAIN -> PROCESSES;
          case 0 -> text.contains("Resource temporarily unavailable") ? PROCESSES : "";
          default -> "";
        };
    return mend.isEmpty() ? text : text + "; " + mend;
  }

  /** This JVM's own memory, or a thread that it could not start. */
  static SandboxSetupException of(String step, OutOfMemoryError e) {
    String text = String.valueOf(e.getMessage());
    String mend =
        text.contains("thread")
            ? PROCESSES
            : "give this JVM more memory (-Xmx), or keep less output (maxOutputBytes)";
    return new SandboxSetupException(
        step, null, "this JVM is short of memory or threads: " + text + "; " + mend, e);
  }
}
