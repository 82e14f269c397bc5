package io.zett.sandbox.spark;

import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.SandboxUnavailableException;
import java.io.IOException;
import java.io.Serial;
import java.io.Serializable;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Why a job could not be run, on its way from an executor: an exception without its trace. */
final class FailureSpec implements Serializable {
  @Serial private static final long serialVersionUID = 1;

  private enum Kind {
    UNAVAILABLE,
    SETUP,
    ARGUMENT,
    OTHER
  }

  private final Kind kind;
  private final String message;
  private final @Nullable String step;
  private final @Nullable String path;
  private final @Nullable String fix;

  FailureSpec(Throwable failure) {
    String step = null;
    String path = null;
    String fix = null;
    switch (failure) {
      case SandboxUnavailableException e -> {
        kind = Kind.UNAVAILABLE;
        message = e.problem();
        fix = e.fix();
      }
      case SandboxSetupException e -> {
        kind = Kind.SETUP;
        step = e.step();
        path = e.path().map(Path::toString).orElse(null);
        // The message begins with both, and the exception that is made of this puts them there
        // anew.
        message =
            String.valueOf(e.getMessage())
                .substring((step + ": " + (path == null ? "" : path + ": ")).length());
      }
      case IllegalArgumentException e -> {
        kind = Kind.ARGUMENT;
        message = text(e);
      }
      default -> {
        kind = Kind.OTHER;
        message = text(failure);
      }
    }
    this.step = step;
    this.path = path;
    this.fix = fix;
  }

  private static String text(Throwable failure) {
    String message = failure.getMessage();
    return message == null || message.isEmpty() ? failure.toString() : message;
  }

  Exception exception() {
    return switch (kind) {
      case UNAVAILABLE -> new SandboxUnavailableException(message, String.valueOf(fix));
      case SETUP ->
          new SandboxSetupException(
              String.valueOf(step), path == null ? null : Path.of(path), message, null);
      case ARGUMENT -> new IllegalArgumentException(message);
      case OTHER -> new IOException(message);
    };
  }
}
