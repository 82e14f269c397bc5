package io.zett.sandbox.cli;

import io.zett.sandbox.Outcome;

/** Exit statuses of the command, as timeout(1) and shells have them. */
final class ExitStatus {
  static final int OK = 0;
  static final int UNUSABLE = 1;
  static final int USAGE = 2;
  static final int TIMED_OUT = 124;
  static final int NOT_RUN = 125;
  static final int NOT_FOUND = 127;

  private static final int KILLED = 137;

  private ExitStatus() {}

  static int of(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Exited(int code) -> code;
      case Outcome.Signaled(int signal) -> ofSignal(signal);
      case Outcome.TimedOut _ -> TIMED_OUT;
      case Outcome.LimitExceeded _, Outcome.Canceled _ -> KILLED;
    };
  }

  static int ofSignal(int signal) {
    return 128 + signal;
  }
}
