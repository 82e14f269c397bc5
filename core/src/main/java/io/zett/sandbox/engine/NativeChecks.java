package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.posix.Posix;

/** What the doctor tries on Linux alone. */
final class NativeChecks {
  private NativeChecks() {}

  static String access() {
    Posix posix = Shared.posix();
    return "Linux " + posix.uname().release() + ", user " + posix.geteuid();
  }

  static String backend(SandboxPolicy policy) {
    BackendChoice choice = BackendChoice.make(policy);
    return choice.backend().kind().wireName() + choice.description();
  }

  static Doctor.Check secondWall() {
    return SecondWall.check(Shared.posix());
  }
}
