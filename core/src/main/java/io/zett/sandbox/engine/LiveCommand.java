package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.TerminalSize;
import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.process.Backlog;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** A command whose streams are open to whoever started it. Thread-safe. */
public final class LiveCommand {
  private final CommandRun run;
  private final @Nullable Conduit stdin;
  private final Backlog out;
  private final @Nullable Backlog err;
  private final CompletableFuture<SandboxResult> exit = new CompletableFuture<>();
  private final CountDownLatch known = new CountDownLatch(1);
  private volatile @Nullable SandboxResult result;
  private volatile @Nullable Throwable failure;
  private final Ground ground;

  private LiveCommand(
      Ground ground, CommandRun run, @Nullable Conduit stdin, Backlog out, @Nullable Backlog err) {
    this.ground = ground;
    this.run = run;
    this.stdin = stdin;
    this.out = out;
    this.err = err;
  }

  /** Starts it; only its own time limit applies. */
  static LiveCommand start(Engine engine, SandboxCommand command) {
    Ground ground = engine.ground();
    Conduit stdin = command.input().isPresent() ? null : new Conduit();
    Backlog out = new Backlog(command.maxOutputBytes());
    boolean oneOutput = command.mergesStderr() || command.terminal().isPresent();
    Backlog err = oneOutput ? null : new Backlog(command.maxOutputBytes());
    CommandStreams streams =
        CommandStreams.streamed(
            command, ground::input, stdin == null ? null : stdin.source(), out, err);
    LiveCommand live = new LiveCommand(ground, engine.beginLive(command, streams), stdin, out, err);
    ground
        .virtualThreads()
        .start("zett-live-command", live::follow, e -> live.failed(live.run.unstarted(e)));
    return live;
  }

  private void follow() {
    try {
      SandboxResult ended = run.execute();
      endStreams();
      result = ended;
      known.countDown();
      exit.complete(ended);
    } catch (Throwable failure) {
      failed(failure);
    }
  }

  private void failed(Throwable cause) {
    endStreams();
    failure = cause;
    known.countDown();
    exit.completeExceptionally(cause);
  }

  private void endStreams() {
    out.end();
    if (err != null) {
      err.end();
    }
    if (stdin != null) {
      stdin.breakOff();
    }
  }

  /**
   * Completed once all of it is dead, and already if it {@linkplain #isAlive() is not alive};
   * completing it from outside does nothing to the command.
   */
  public CompletableFuture<SandboxResult> exit() {
    if (!isAlive()) {
      Uninterruptibly.await(known); // a moment: nothing of a user's runs until then
      Throwable cause = failure;
      return cause == null
          ? CompletableFuture.completedFuture(Objects.requireNonNull(result))
          : CompletableFuture.failedFuture(cause);
    }
    CompletableFuture<SandboxResult> told = new CompletableFuture<>();
    exit.whenComplete(
        (value, cause) -> {
          if (cause == null) {
            told.complete(value);
          } else {
            told.completeExceptionally(cause); // As it is: a cancellation stays one.
          }
        });
    return told;
  }

  /** Whether it is still to end; not any more once its sandbox has been closed. */
  public boolean isAlive() {
    return !run.hasEnded();
  }

  /** Where its input is written; empty when the command brought its own. */
  public Optional<OutputStream> stdin() {
    return Optional.ofNullable(stdin).map(Conduit::target);
  }

  /** What it writes. */
  public InputStream stdout() {
    return out.reader();
  }

  /** What it writes as errors; empty when that goes into its output. */
  public Optional<InputStream> stderr() {
    return Optional.ofNullable(err).map(Backlog::reader);
  }

  /** Bytes that were let go before anybody read, of the output or of the errors. */
  public long lost(boolean errors) {
    return !errors ? out.lost() : err == null ? 0 : err.lost();
  }

  /** The lines of a stream. */
  public Flow.Publisher<String> lines(InputStream stream) {
    return new LinePublisher(stream, ground.virtualThreads());
  }

  /** Sends a signal to the program itself. */
  public void signal(int number) {
    run.signal(number);
  }

  /** Changes the size of its terminal. */
  public void resize(TerminalSize size) {
    run.resize(size);
  }

  /** Kills all of it. */
  public void kill() {
    run.signalAll(Constants.SIGKILL);
  }

  /** Asks it to end, and kills it when it has not after a while. */
  public void terminate(Duration grace) {
    signal(Constants.SIGTERM);
    ground.schedule(grace, this::kill);
  }
}
