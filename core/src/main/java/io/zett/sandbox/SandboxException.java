package io.zett.sandbox;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * What goes wrong with a sandbox or in it. No message holds the value of a variable, input, an
 * argument or a shell text.
 */
public abstract sealed class SandboxException extends RuntimeException
    permits SandboxClosedException,
        SandboxCommandException,
        SandboxSetupException,
        SandboxUnavailableException {
  @Serial private static final long serialVersionUID = 1;

  SandboxException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
