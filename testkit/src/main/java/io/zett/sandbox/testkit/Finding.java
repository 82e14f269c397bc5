package io.zett.sandbox.testkit;

/**
 * How an attack went.
 *
 * @param attack which
 * @param result how
 * @param detail why it was skipped, or what it did; empty when there is nothing to say
 */
public record Finding(Attack attack, Result result, String detail) {

  /** How it went. */
  public enum Result {
    /** It works without the sandbox, or has no harmless form, and did not work inside. */
    REFUSED,
    /** It did not work inside, but cannot be shown to work without the sandbox here. */
    SKIPPED,
    /** It passed a limit that the report of the session calls partial. */
    PARTIAL,
    /** It worked: the sandbox does not keep its promise. */
    WORKED
  }

  /** The result as the matrix shows it. */
  public String text() {
    return switch (result) {
      case REFUSED -> attack.proof() instanceof Proof.None ? "refused, unproven" : "refused";
      case SKIPPED -> "skipped: " + detail;
      case PARTIAL -> "passed: the limit is reported as partial";
      case WORKED -> "WORKED: " + detail;
    };
  }
}
