package io.zett.sandbox.cases.watching;

import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxException;
import io.zett.sandbox.SandboxSession;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A JVM that runs commands of every fate, and itself says nothing. */
final class QuietLife {
  private QuietLife() {}

  /** Exit status 0 when all went as it should. */
  public static void main(String[] arguments) {
    boolean good = true;
    for (SandboxBackend backend :
        List.of(SandboxBackend.AUTO, SandboxBackend.BUBBLEWRAP)) { // passthrough announces itself
      try (SandboxSession session =
          SandboxSession.builder().backend(backend).memory("1GB").open()) {
        good &= session.run("echo out; echo err >&2").stdout().equals("out\n");
        good &= session.run(SandboxCommand.shell("yes").timeout(Duration.ofMillis(50))).timedOut();
        good &= session.run(List.of("./no-such-program")).exitCode() == 127;
        session.runAsync("sleep 600").cancel(true);
        session.runAsync("sleep 600");
        try {
          session.run(SandboxCommand.of("true").cwd(Path.of("missing")));
          good = false;
        } catch (SandboxException expected) {
          good &= expected.getMessage() != null;
        }
      }
    }
    if (arguments.length > 0) {
      good &= ModuleLayer.boot().findModule(arguments[0]).isEmpty();
    }
    System.exit(good ? 0 : 1);
  }
}
