package io.zett.sandbox.cli;

import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.util.function.Consumer;

/** What {@code zett mcp} hands its session to. */
public interface SessionServer {
  /** Of a command that was started without one. */
  SessionServer NONE =
      (_, _) -> {
        throw new IllegalStateException("there is no server");
      };

  /**
   * Serves a client until it leaves or a signal comes.
   *
   * @param session an open one; whoever calls this closes it afterwards
   * @param atSignal takes what is to be done, once, when a signal ends this program
   * @throws IOException if the client could not be served
   */
  void serve(SandboxSession session, Consumer<Runnable> atSignal) throws IOException;
}
