package io.zett.sandbox.engine;

import io.zett.sandbox.Enforcement;
import io.zett.sandbox.posix.Posix;

/**
 * Landlock as a second wall behind the mounts, where the kernel has it: zett-init keeps the command
 * to writing below the directories that the mounts leave writable, and to abstract sockets and
 * signals of its own. Nothing relies on it.
 */
final class SecondWall {
  /** {@code off} leaves it out, as on a kernel without it; for tests and for finding faults. */
  static final String PROPERTY = "io.zett.sandbox.landlock";

  /** Version 1 (kernel 5.13) cannot allow a rename from one directory to another. */
  private static final int LEAST_VERSION = 2;

  private static final int WITH_SCOPES = 6;

  private SecondWall() {}

  static boolean isWanted() {
    return !"off".equals(System.getProperty(PROPERTY));
  }

  /** Whether commands have it here, and what it does. */
  static Doctor.Check check(Posix posix) {
    int version = isWanted() ? posix.landlockVersion() : 0;
    if (version < LEAST_VERSION) {
      return new Doctor.Check(
          "landlock",
          Enforcement.Level.PARTIAL,
          isWanted()
              ? "no second wall: "
                  + (version == 0 ? "this kernel has none" : "version " + version + " is too old")
                  + "; the sandbox does not rely on it"
              : "switched off with -D" + PROPERTY + "=off; the sandbox does not rely on it",
          isWanted()
              ? "a kernel from 5.19 on with landlock among the lsm= of its command line"
              : "take the property away");
    }
    return new Doctor.Check(
        "landlock",
        Enforcement.Level.FULL,
        "version "
            + version
            + ", a second wall around what can be written"
            + (version < WITH_SCOPES
                ? "; abstract sockets of the host can be reached with the network on"
                : ", abstract sockets and signals"),
        "");
  }
}
