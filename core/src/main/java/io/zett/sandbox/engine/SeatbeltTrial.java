package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxUnavailableException;
import io.zett.sandbox.portable.Budget;
import io.zett.sandbox.portable.Finish;
import io.zett.sandbox.portable.Following;
import io.zett.sandbox.process.Capture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Makes sure that a sandbox can be had before it is called open: inside another sandbox, or with a
 * profile that this version of macOS does not take, nothing would run later.
 */
final class SeatbeltTrial {
  private static final Budget UNBOUNDED =
      new Budget(OptionalLong.empty(), OptionalLong.empty(), OptionalInt.empty());

  private SeatbeltTrial() {}

  /**
   * Runs a command that does nothing.
   *
   * @return the same
   * @throws SandboxUnavailableException if it did not run
   */
  static Starts passed(Starts starts, Path directory) {
    String problem;
    try {
      Finish.How how =
          Following.begin(
                  starts.plan(SandboxCommand.of("/bin/sh", "-c", ":"), directory).orElseThrow(),
                  UNBOUNDED,
                  new Following.Streams(null, new Capture(0), new Capture(0)),
                  Optional.empty(),
                  (_, _) -> () -> {})
              .finish()
              .how();
      if (how.equals(new Finish.Exited(0))) {
        return starts;
      }
      problem = how instanceof Finish.NotBegun(String words) ? words : how.toString();
    } catch (IOException e) {
      problem = String.valueOf(e.getMessage());
    }
    throw new SandboxUnavailableException(
        "backend: sandbox-exec does not start a command: " + problem,
        "inside another sandbox macOS makes none: start this program outside of it; else report"
            + " what was said, with the version of macOS");
  }
}
