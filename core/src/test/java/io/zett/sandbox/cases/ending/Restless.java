package io.zett.sandbox.cases.ending;

import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.nio.file.Path;

/** A JVM that opens, runs and closes all the time, on several threads. */
final class Restless {
  private Restless() {}

  /** Arguments: a workspace, in which {@code missing} may not be made. */
  public static void main(String[] arguments) throws IOException {
    Path workspace = Path.of(arguments[0]);
    for (int i = 0; i < 3; i++) {
      Thread.ofPlatform().daemon().start(() -> work(workspace));
    }
    work(workspace);
  }

  private static void work(Path workspace) {
    boolean told = false;
    while (true) {
      try (SandboxSession session =
          SandboxSession.builder()
              .workspace(workspace)
              .denyWrite(workspace.resolve("missing"))
              .memory("1GB")
              .open()) {
        for (int i = 0; i < 3; i++) {
          session.runAsync("sleep 600");
        }
        session.run("true").check();
        if (!told) {
          System.out.println("at work");
          told = true;
        }
      }
    }
  }
}
