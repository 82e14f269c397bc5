package io.zett.sandbox.cases.shortage;

import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.cases.outside.Possessions;
import java.nio.file.Path;

/** A JVM that may start a few processes and threads more, and then none. */
final class FewProcesses {
  private static final int MOST_MORE = 12;

  private FewProcesses() {}

  public static void main(String[] arguments) throws Exception {
    Bound bound = arguments.length == 0 ? Bound.ofUser() : Bound.ofGroup(Path.of(arguments[0]));
    Classes.load();
    try (Attempts attempts = new Attempts(FewProcesses::isExplained)) {
      open();
      Possessions before = Possessions.now();
      for (int more = MOST_MORE; more >= 0; more--) {
        allow(bound, more, () -> attempts.open(SandboxSession.builder().memory("1GB")));
      }
      withOneOpen(bound, attempts);
      before.assertRegained();
      System.out.println(
          attempts.told() > 0 && attempts.worked() > 0 ? "told and worked" : attempts.toString());
    }
  }

  private static void withOneOpen(Bound bound, Attempts attempts) {
    try (SandboxSession session = SandboxSession.builder().memory("1GB").open()) {
      for (int more = MOST_MORE; more >= 0; more--) {
        allow(bound, more, () -> attempts.run(session));
        allow(bound, more, () -> attempts.attempt(() -> session.runAsync("echo ok").get()));
        allow(bound, more, () -> attempts.open(SandboxSession.builder().memory("1GB")));
        Attempts.expectOk(session.run("echo ok"));
      }
    }
  }

  private static void allow(Bound bound, int more, Runnable action) {
    bound.allow(more);
    try {
      action.run();
    } finally {
      bound.allow(-1);
    }
    open();
  }

  private static boolean isExplained(String message) {
    return message.contains("ulimit -u")
        && (message.contains("Resource temporarily unavailable")
            || message.contains("unable to create native thread"));
  }

  private static void open() {
    try (SandboxSession session = SandboxSession.builder().memory("1GB").open()) {
      Attempts.expectOk(session.run("echo ok"));
    }
  }
}
