package io.zett.sandbox;

import java.io.Serial;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * No usable backend: the launcher is missing or too old, the system does not let it work, native
 * access is denied to the library, or isolation is required and there is none. The message says how
 * to mend it.
 */
public final class SandboxUnavailableException extends SandboxException {
  @Serial private static final long serialVersionUID = 1;

  private final String problem;
  private final String fix;

  /** With what is wrong and how to mend it; each a sentence without a full stop. */
  public SandboxUnavailableException(String problem, String fix) {
    this(problem, fix, null);
  }

  /** With what is wrong, how to mend it, and the cause. */
  public SandboxUnavailableException(String problem, String fix, @Nullable Throwable cause) {
    super(problem + ". To mend it: " + fix, cause);
    this.problem = Objects.requireNonNull(problem, "problem");
    this.fix = Objects.requireNonNull(fix, "fix");
  }

  /** What is wrong, without the mend. */
  public String problem() {
    return problem;
  }

  /** How to mend it, for people. */
  public String fix() {
    return fix;
  }
}
