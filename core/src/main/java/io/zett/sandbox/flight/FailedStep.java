package io.zett.sandbox.flight;

import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.SandboxUnavailableException;

/** What could not be done, in a few words of this library's own: messages may quote the caller. */
final class FailedStep {
  private FailedStep() {}

  static String of(Throwable failure) {
    return switch (failure) {
      case SandboxSetupException setup -> setup.step();
      case SandboxUnavailableException _ -> "finding a backend";
      case IllegalArgumentException _ -> "checking the arguments";
      default -> failure.getClass().getName();
    };
  }
}
