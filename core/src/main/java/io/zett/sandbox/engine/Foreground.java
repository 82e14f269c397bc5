package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import java.io.OutputStream;

/**
 * A command whose streams are passed on live and uncapped, as at a terminal. The descriptors
 * themselves never reach the command: it gets pipes. Thread-safe.
 */
public final class Foreground {
  private final CommandRun run;

  private Foreground(CommandRun run) {
    this.run = run;
  }

  /**
   * Takes a place in the sandbox's queue; the command starts with {@link #await}.
   *
   * @param out gets its output, on a thread of its own; when it throws, the command's next write
   *     fails as on a closed pipe
   * @param err the same for its error output
   * @param stdinFd a descriptor whose content becomes its input, neither closed nor changed; -1 for
   *     an empty input
   */
  public static Foreground start(
      Engine engine, SandboxCommand command, OutputStream out, OutputStream err, int stdinFd) {
    CommandStreams streams =
        CommandStreams.live(command, engine.ground()::input, out, err, stdinFd);
    return new Foreground(engine.begin(command, streams));
  }

  /** Runs it and waits for its end; called once. Its result has no output. */
  public SandboxResult await() {
    return run.execute();
  }

  /** Ends it with its tree. */
  public void cancel(String reason) {
    run.cancel(reason);
  }

  /** Passes a signal on to the command itself. */
  public void signal(int number) {
    run.signal(number);
  }
}
