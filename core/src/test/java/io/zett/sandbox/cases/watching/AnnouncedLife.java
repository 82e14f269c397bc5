package io.zett.sandbox.cases.watching;

import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxSession;

/** A JVM that asks what it would have, opens sandboxes and then, several times, none. */
final class AnnouncedLife {
  private AnnouncedLife() {}

  public static void main(String[] arguments) {
    SandboxSession.builder().backend(SandboxBackend.PASSTHROUGH).build().capabilities();
    try (SandboxSession session = SandboxSession.builder().open()) {
      session.run("true").check();
    }
    System.err.println("until now nothing");
    for (int i = 0; i < 3; i++) {
      try (SandboxSession session =
          SandboxSession.builder().backend(SandboxBackend.PASSTHROUGH).open()) {
        session.run("true").check();
      }
    }
  }
}
