package io.zett.sandbox.cases.ending;

import io.zett.sandbox.SandboxSession;
import java.nio.file.Path;

/** A JVM that opens one session and runs one command. */
public final class OpenOnce {
  private OpenOnce() {}

  /** Arguments: a workspace; none for a private one. */
  public static void main(String[] arguments) {
    SandboxSession.Builder builder = SandboxSession.builder().memory("1GB");
    if (arguments.length > 0) {
      Path workspace = Path.of(arguments[0]);
      builder.workspace(workspace).denyWrite(workspace.resolve("missing"));
    }
    try (SandboxSession session = builder.open()) {
      System.out.print(session.run("echo ran").check().stdout());
    }
  }
}
