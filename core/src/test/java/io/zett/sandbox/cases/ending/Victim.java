package io.zett.sandbox.cases.ending;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM that runs commands in sandboxes until it is ended, or ends itself. */
final class Victim {
  private Victim() {}

  /** Arguments: how it ends, the number that its sleeping commands have, a workspace of its own. */
  public static void main(String[] arguments) throws IOException {
    String number = arguments[1];
    Path given = Path.of(arguments[2]);
    List<SandboxSession> sessions = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      sessions.add(SandboxSession.builder().noTimeout().memory("1GB").open());
    }
    SandboxSession own = SandboxSession.builder().workspace(given).noTimeout().open();
    sessions.add(own);
    for (SandboxSession session : sessions) {
      session.runAsync("sleep " + number);
    }
    own.runAsync(
        "trap '' TERM INT HUP; setsid sh -c 'sleep "
            + number
            + "' & while :; do echo >>ticks; sleep 0.02; done");
    sessions.forEach(session -> System.out.println(session.workspace()));
    // Ends with the test, should that forget this JVM.
    while (System.in.read() >= 0) {
      switch (arguments[0]) {
        case "exit" -> System.exit(3);
        case "exit-in-callback" ->
            own.runAsync(SandboxCommand.of("true")).thenRun(() -> System.exit(3));
        case "halt" -> Runtime.getRuntime().halt(4);
        case "return" -> {
          return;
        }
        default -> {}
      }
    }
  }
}
