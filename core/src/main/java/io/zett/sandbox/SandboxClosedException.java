package io.zett.sandbox;

import java.io.Serial;

/** The session or sandbox is not open: not yet, or no longer. */
public final class SandboxClosedException extends SandboxException {
  @Serial private static final long serialVersionUID = 1;

  /** With a text that says which of the two. */
  public SandboxClosedException(String message) {
    super(message, null);
  }
}
