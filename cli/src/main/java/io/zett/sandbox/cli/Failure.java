package io.zett.sandbox.cli;

import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.SandboxUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * Why no command was run.
 *
 * @param kind whose fault it is
 * @param step what was being done
 * @param path the file it was about
 * @param message what is wrong, without the mend
 * @param fix how to mend it
 */
record Failure(
    Kind kind, @Nullable String step, @Nullable String path, String message, @Nullable String fix) {

  /** The word for it in JSON, and the exit status. */
  enum Kind {
    UNAVAILABLE("unavailable", ExitStatus.NOT_RUN),
    SETUP("setup", ExitStatus.NOT_RUN),
    USAGE("usage", ExitStatus.USAGE);

    private final String wireName;
    private final int exitStatus;

    Kind(String wireName, int exitStatus) {
      this.wireName = wireName;
      this.exitStatus = exitStatus;
    }

    String wireName() {
      return wireName;
    }

    int exitStatus() {
      return exitStatus;
    }
  }

  static Failure of(Throwable problem) {
    return switch (problem) {
      case UsageException e -> new Failure(Kind.USAGE, null, null, e.getMessage(), e.fix());
      // The library refuses a value of an option by it.
      case IllegalArgumentException e -> new Failure(Kind.USAGE, null, null, text(e), null);
      case SandboxUnavailableException e ->
          new Failure(Kind.UNAVAILABLE, null, null, e.problem(), e.fix());
      case SandboxSetupException e ->
          new Failure(
              Kind.SETUP, e.step(), e.path().map(Object::toString).orElse(null), text(e), null);
      default -> new Failure(Kind.SETUP, null, null, text(problem), null);
    };
  }

  /** One message for people, the mend on a line of its own. */
  void tell(Streams streams) {
    streams.say(message);
    if (fix != null) {
      streams.say((kind == Kind.USAGE ? "" : "to mend it: ") + fix);
    }
  }

  private static String text(Throwable problem) {
    String message = problem.getMessage();
    return message == null || message.isEmpty() ? problem.toString() : message;
  }
}
