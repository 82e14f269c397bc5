package io.zett.sandbox;

import java.time.Duration;
import java.util.Objects;

/** How a command ended. Immutable; equal by content. */
public sealed interface Outcome {

  /**
   * The exit status a shell would show: the code of {@link Exited}, 128 + n for {@link Signaled},
   * and 137 (128 + SIGKILL) when the sandbox ended the command.
   */
  default int exitCode() {
    return switch (this) {
      case Exited exited -> exited.code();
      case Signaled signaled -> 128 + signaled.signal();
      case TimedOut _, LimitExceeded _, Canceled _ -> 137;
    };
  }

  /**
   * The word for it in JSON: {@code exited}, {@code signaled}, {@code timed_out}, {@code
   * limit_exceeded} or {@code canceled}.
   */
  default String wireName() {
    return switch (this) {
      case Exited _ -> "exited";
      case Signaled _ -> "signaled";
      case TimedOut _ -> "timed_out";
      case LimitExceeded _ -> "limit_exceeded";
      case Canceled _ -> "canceled";
    };
  }

  /**
   * It ended by itself. Codes of 128 and more are the command's own too: a shell, for one, reports
   * the signals of its children so.
   *
   * @param code the exit status; 0 to 255 on Unix
   */
  record Exited(int code) implements Outcome {}

  /**
   * A signal ended it, and not one that the sandbox sent. Told by the kernel, never guessed from an
   * exit status.
   *
   * @param signal the number of the signal, 1 or more
   */
  record Signaled(int signal) implements Outcome {
    /**
     * Checks the number.
     *
     * @throws IllegalArgumentException if it is below 1
     */
    public Signaled {
      if (signal < 1) {
        throw new IllegalArgumentException("signal: " + signal + " is no signal");
      }
    }
  }

  /**
   * Its time was up and it was ended with its whole tree.
   *
   * @param limit the time it had
   */
  record TimedOut(Duration limit) implements Outcome {
    /** Refuses {@code null}. */
    public TimedOut {
      Objects.requireNonNull(limit, "limit");
    }
  }

  /**
   * It was ended because it, or a process it started, went beyond a limit.
   *
   * @param limit which
   */
  record LimitExceeded(Limit limit) implements Outcome {
    /** Refuses {@code null}. */
    public LimitExceeded {
      Objects.requireNonNull(limit, "limit");
    }
  }

  /**
   * It was ended by the caller: by cancelling, by interruption, or by closing the session; or by
   * the sandbox, because a denied path was removed or replaced while it ran, by the host or through
   * a link that the command could replace, and what is there now would be open to it.
   *
   * @param reason which of them, for people
   */
  record Canceled(String reason) implements Outcome {
    /** Refuses {@code null}. */
    public Canceled {
      Objects.requireNonNull(reason, "reason");
    }
  }
}
