package io.zett.sandbox.cases.cleanup;

import io.zett.sandbox.SandboxSession;

/** A JVM with a locale of its own, whose command makes files with names that are no text. */
final class OddNames {
  private OddNames() {}

  public static void main(String[] arguments) {
    try (SandboxSession session = SandboxSession.builder().open()) {
      session.run(OddFilesTest.ODD_NAMES).check();
      System.out.println("made");
    }
  }
}
