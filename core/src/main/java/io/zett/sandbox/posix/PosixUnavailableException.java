package io.zett.sandbox.posix;

/** This JVM cannot call the operating system; the message says why and how to mend it. */
public final class PosixUnavailableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** With the reason and the remedy. */
  public PosixUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }

  /** With the reason and the remedy. */
  public PosixUnavailableException(String message) {
    super(message);
  }
}
