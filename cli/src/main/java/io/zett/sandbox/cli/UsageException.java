package io.zett.sandbox.cli;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The command line does not say what can be done; the message says why and is for people. */
final class UsageException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final @Nullable String fix;

  UsageException(String message) {
    this(message, null);
  }

  UsageException(String message, @Nullable String fix) {
    super(message);
    this.fix = fix;
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }

  /** What to type instead, if that is known. */
  @Nullable String fix() {
    return fix;
  }
}
