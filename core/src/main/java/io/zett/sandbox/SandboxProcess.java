package io.zett.sandbox;

import io.zett.sandbox.engine.LiveCommand;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A command that runs while its streams are read and written: a server, a prompt, a watcher of
 * tests. It lives until it ends, is ended, or its session closes; of time limits only the command's
 * own applies, not the session's.
 *
 * <p>A stream that is read loses nothing: when {@link SandboxCommand#maxOutputBytes()} wait for a
 * slow reader, the command waits too, as at a full pipe; its time limit goes on. A stream that
 * nobody reads holds up nobody: beyond so many bytes what comes is let go, and who reads later gets
 * an {@link java.io.IOException} at that place ({@link #stdoutLostBytes()} tells how much). The
 * result has the head of each stream, as that of {@code run}, whoever has read it. Each stream is
 * for one reader: the {@link InputStream} or the lines. Thread-safe otherwise.
 */
public final class SandboxProcess implements AutoCloseable {
  private static final int MOST_SIGNAL = 64;

  private final SandboxCommand command;
  private final LiveCommand live;

  SandboxProcess(SandboxCommand command, LiveCommand live) {
    this.command = command;
    this.live = live;
  }

  /** What was started. */
  public SandboxCommand command() {
    return command;
  }

  /**
   * What is written to it is the command's standard input, at once; closing it ends the input. At
   * most 128 KiB wait for the command, then a write waits until it reads. Writing fails with an
   * {@link java.io.IOException} once the command has ended.
   *
   * @throws IllegalStateException if the command was given its input when it was made
   */
  public OutputStream stdin() {
    return live.stdin()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "the command has its input already: leave input(…) out to write to it"));
  }

  /** The standard output as it comes; with {@code mergeStderr} the standard error, too. */
  public InputStream stdout() {
    return live.stdout();
  }

  /**
   * The standard error as it comes.
   *
   * @throws IllegalStateException if it goes into the standard output, as in a terminal
   */
  public InputStream stderr() {
    return live.stderr()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "mergeStderr, or a terminal: read the standard output for both"));
  }

  /**
   * The lines of the standard output, decoded as UTF-8, malformed bytes replaced, without their
   * ends. For one subscriber, which is called on a virtual thread of its own; a second one is
   * refused with an {@link IllegalStateException}.
   */
  public Flow.Publisher<String> stdoutLines() {
    return live.lines(stdout());
  }

  /**
   * The lines of the standard error; see {@link #stdoutLines()}.
   *
   * @throws IllegalStateException if it goes into the standard output
   */
  public Flow.Publisher<String> stderrLines() {
    return live.lines(stderr());
  }

  /** Bytes of the standard output that were let go before anybody read it. */
  public long stdoutLostBytes() {
    return live.lost(false);
  }

  /** Bytes of the standard error that were let go before anybody read it. */
  public long stderrLostBytes() {
    return live.lost(true);
  }

  /**
   * Completed once every process of the command is dead, with all that {@code runAsync} would say.
   * Completing or cancelling it does nothing to the command. When the session closes before the
   * command ends, it is completed with a {@link SandboxCanceledException}.
   */
  public CompletableFuture<SandboxResult> onExit() {
    return live.exit();
  }

  /** Whether it has not ended yet; true also while it waits for its turn. */
  public boolean isAlive() {
    return live.isAlive();
  }

  /**
   * Waits for its end.
   *
   * @return false if the time was up before
   * @throws InterruptedException if this thread is interrupted; the command goes on
   */
  public boolean waitFor(Duration timeout) throws InterruptedException {
    Objects.requireNonNull(timeout, "timeout");
    try {
      live.exit().get(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return false;
    } catch (CancellationException | ExecutionException e) {
      return true;
    }
    return true;
  }

  /**
   * Sends a signal to the program itself, as soon as it runs. Windows has none: there 1, 2, 3, 9
   * and 15 end the program, and others do nothing.
   *
   * @param number 1 to 64, as {@code kill -l} lists them
   * @throws IllegalArgumentException for any other number
   */
  public void signal(int number) {
    if (number < 1 || number > MOST_SIGNAL) {
      throw new IllegalArgumentException(
          "signal: " + number + " is none; from 1 to " + MOST_SIGNAL + ", for instance 15");
    }
    live.signal(number);
  }

  /**
   * Changes the size of the command's terminal, which tells its foreground processes (SIGWINCH).
   * Harmless when it has ended.
   *
   * @param rows lines, 1 to 65,535
   * @param columns characters in a line, 1 to 65,535
   * @throws IllegalArgumentException if one is out of range
   * @throws IllegalStateException if the command has no terminal
   */
  public void resize(int rows, int columns) {
    TerminalSize size = new TerminalSize(rows, columns);
    if (command.terminal().isEmpty()) {
      throw new IllegalStateException(
          "the command has no terminal: give it one with SandboxCommand.terminal(rows, columns)");
    }
    live.resize(size);
  }

  /**
   * Asks the program to end (SIGTERM), and kills all of it if it has not after a while. Returns at
   * once.
   *
   * @param grace how long it may take; zero or more
   * @throws IllegalArgumentException if it is negative
   */
  public void terminate(Duration grace) {
    if (grace.isNegative()) {
      throw new IllegalArgumentException("terminate: " + grace + " is negative; zero or more");
    }
    live.terminate(grace);
  }

  /** Kills all of it (SIGKILL). Returns at once; harmless when it has ended. */
  public void kill() {
    live.kill();
  }

  /** Kills all of it and waits until it is dead. */
  @Override
  public void close() {
    kill();
    live.exit().handle((_, _) -> true).join();
  }

  /** The command, and whether it is alive. */
  @Override
  public String toString() {
    return "SandboxProcess[" + command + ", " + (isAlive() ? "alive" : "ended") + "]";
  }
}
