package io.zett.sandbox.limits;

import java.io.Serial;

/** D-Bus, or whoever was asked over it, did not do what was wanted. */
final class BusException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  BusException(String message) {
    super(message);
  }

  BusException(String message, Throwable cause) {
    super(message, cause);
  }
}
