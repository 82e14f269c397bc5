package io.zett.sandbox.cli;

import io.zett.sandbox.SandboxSession;
import java.io.IOException;

/** {@code zett mcp}: one session for one client, from its first word to its last. */
final class McpCommand {
  private McpCommand() {}

  static int run(McpRequest request, SessionServer server, Streams streams) {
    if (server == SessionServer.NONE) {
      streams.say("the MCP server is not part of this program");
      streams.say("to mend it: start it by the script zett");
      return ExitStatus.NOT_RUN;
    }
    Signals signals = Signals.install();
    try (SandboxSession session = request.session()) {
      session.open();
      if (request.verbose()) {
        String kind = request.workspace() == null ? " (private)" : "";
        streams.say("workspace: " + session.workspace() + kind);
        session.capabilities().toString().lines().forEach(streams::say);
      }
      UnenforcedLimits.of(request.policy(), session.capabilities()).ifPresent(streams::say);
      server.serve(session, end -> signals.whenReceived(_ -> end.run()));
      return signals.exitStatus().orElse(ExitStatus.OK);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      if (request.verbose()) {
        e.printStackTrace(streams.err());
      }
      Failure failure = Failure.of(e);
      failure.tell(streams);
      return signals.exitStatus().orElse(failure.kind().exitStatus());
    }
  }
}
