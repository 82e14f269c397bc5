package io.zett.sandbox.backend.seatbelt.language;

/** A profile that {@code sandbox-exec} would refuse, or that holds what is not known here. */
public final class MalformedProfileException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  MalformedProfileException(String message) {
    super(message);
  }
}
