package io.zett.sandbox.limits;

/** A policy forces a way of keeping a limit that this machine does not have. */
public final class UnavailableStrategy extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String fix;

  UnavailableStrategy(String problem, String fix) {
    super(problem);
    this.fix = fix;
  }

  /** How to mend it, for people. */
  public String fix() {
    return fix;
  }
}
