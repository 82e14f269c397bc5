package io.zett.sandbox.tools;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * A tool could not do what it was asked: a wrong argument, an unknown id, a file that cannot be
 * read, a sandbox that cannot be built. The message is for the model: it says what to do instead. A
 * command that fails is none of these; it has a {@link CommandReport}.
 */
public final class ToolException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  /** With a text that a model can act on. */
  public ToolException(String message) {
    this(message, null);
  }

  /** The same with the error below. */
  public ToolException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
