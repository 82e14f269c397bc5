package io.zett.sandbox.backend.bubblewrap;

import io.zett.sandbox.posix.UnixPath;
import java.util.List;

/** Runs a program and waits for it: the seam to the one place that starts processes. */
@FunctionalInterface
public interface ProgramRunner {

  /**
   * Runs it with an empty environment and an empty stdin.
   *
   * @param program its path
   * @param arguments without its own name
   * @throws io.zett.sandbox.posix.PosixException if it cannot be started
   */
  Finished run(UnixPath program, List<String> arguments);

  /**
   * How it ended.
   *
   * @param status its exit status, or 128+n after signal n
   * @param out its stdout
   * @param err its stderr
   */
  record Finished(int status, String out, String err) {}
}
