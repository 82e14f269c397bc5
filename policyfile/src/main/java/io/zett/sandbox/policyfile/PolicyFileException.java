package io.zett.sandbox.policyfile;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * A policy file does not say what a policy can be. The message begins with {@code
 * file:line:column:}, and says what was found and what to write instead. It holds no value of a
 * variable.
 */
public final class PolicyFileException extends IllegalArgumentException {
  @Serial private static final long serialVersionUID = 1L;

  private final int line;
  private final int column;

  PolicyFileException(Position at, String problem, @Nullable Throwable cause) {
    super(at + ": " + problem, cause);
    this.line = at.line();
    this.column = at.column();
  }

  /** The line, from 1. */
  public int line() {
    return line;
  }

  /** The column in characters, from 1. */
  public int column() {
    return column;
  }
}
