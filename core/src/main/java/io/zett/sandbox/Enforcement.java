package io.zett.sandbox;

import java.util.Objects;

/**
 * How one limit is enforced on this machine.
 *
 * @param mechanism what enforces it, such as {@code cgroup v2} or {@code RLIMIT_FSIZE}; {@code
 *     none} if nothing does
 * @param scope what the limit is counted for
 * @param level how far it holds
 * @param detail one sentence that says why
 */
public record Enforcement(String mechanism, Scope scope, Level level, String detail) {

  /** What a limit is counted for. */
  public enum Scope {
    /** The command and everything it starts, together. */
    TREE,
    /** Each process by itself. */
    PROCESS;

    /** The word for it in JSON. */
    public String wireName() {
      return Choice.word(this);
    }
  }

  /** How far a limit holds. */
  public enum Level {
    /** As the option's page says. */
    FULL,
    /** Less than that; the detail says what is missing. */
    PARTIAL,
    /** Not at all. */
    NONE;

    /** The word for it in JSON. */
    public String wireName() {
      return Choice.word(this);
    }
  }

  /** Refuses {@code null}. */
  public Enforcement {
    Objects.requireNonNull(mechanism, "mechanism");
    Objects.requireNonNull(scope, "scope");
    Objects.requireNonNull(level, "level");
    Objects.requireNonNull(detail, "detail");
  }

  /** A limit that nothing enforces, and why. */
  public static Enforcement none(String detail) {
    return new Enforcement("none", Scope.TREE, Level.NONE, detail);
  }
}
