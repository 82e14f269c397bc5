package io.zett.sandbox;

import java.io.Serial;

/**
 * A command that was to succeed did not: it exited with another status than 0, a signal or a limit
 * ended it, or its time was up. Thrown by {@link SandboxResult#check()} and for {@linkplain
 * SandboxCommand#checked() checked} commands.
 *
 * <p>The message names the program and how it ended. What the command printed is in the {@link
 * #result()} alone: programs repeat arguments and secrets in their error output, and messages end
 * in logs.
 */
public final class SandboxCommandException extends SandboxException {
  @Serial private static final long serialVersionUID = 1;

  // Results are not serializable; only the message survives.
  private final transient SandboxResult result;

  /** For a result that is no success. */
  public SandboxCommandException(SandboxResult result) {
    super(describe(result), null);
    this.result = result;
  }

  /** What the command did, output included. */
  public SandboxResult result() {
    return result;
  }

  private static String describe(SandboxResult result) {
    String program = result.command().program();
    String end =
        switch (result.outcome()) {
          case Outcome.Exited(int code) -> " exited with status " + code;
          case Outcome.Signaled(int signal) -> " was ended by signal " + signal;
          case Outcome.TimedOut(var limit) ->
              " was ended after its time limit of " + Durations.format(limit);
          case Outcome.LimitExceeded(Limit limit) -> " was ended by its limit " + limit.wireName();
          case Outcome.Canceled(String reason) -> " was canceled: " + reason;
        };
    return program
        + end
        + " (it wrote "
        + result.stdoutTotalBytes()
        + " bytes to stdout and "
        + result.stderrTotalBytes()
        + " to stderr, see result())";
  }
}
