package io.zett.sandbox.cases.ending;

import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxSession;
import java.io.IOException;

/** A JVM whose own way to start processes does not work. */
final class WithoutSpawnHelper {
  private WithoutSpawnHelper() {}

  /** Argument: the backend. */
  public static void main(String[] arguments) throws InterruptedException {
    try {
      new ProcessBuilder("true").start().waitFor();
      System.out.println("the JDK starts processes");
    } catch (IOException e) {
      System.out.println("the JDK starts none");
    }
    SandboxBackend backend = SandboxBackend.of(arguments[0]);
    try (SandboxSession session = SandboxSession.builder().backend(backend).open()) {
      System.out.print(session.run("echo ran").check().stdout());
    }
  }
}
