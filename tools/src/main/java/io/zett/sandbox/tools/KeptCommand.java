package io.zett.sandbox.tools;

import io.zett.sandbox.Limit;
import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxCanceledException;
import io.zett.sandbox.SandboxException;
import io.zett.sandbox.SandboxProcess;
import io.zett.sandbox.SandboxResult;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A command that was started, and the end of what it wrote. Thread-safe. */
final class KeptCommand {
  private static final int SEND_SECONDS = 10;

  private final String id;
  private final String cwd;
  private final SandboxProcess process;
  private final OutputLog out;
  private final OutputLog err;
  private volatile boolean stopped;
  private CompletableFuture<Void> sending = CompletableFuture.completedFuture(null);
  private long outRead;
  private long errRead;

  private KeptCommand(String id, String cwd, SandboxProcess process, int keptBytes) {
    this.id = id;
    this.cwd = cwd;
    this.process = process;
    this.out = new OutputLog(keptBytes);
    this.err = new OutputLog(keptBytes);
  }

  /** Begins to read what it writes. */
  static KeptCommand follow(String id, String cwd, SandboxProcess process, int keptBytes) {
    KeptCommand command = new KeptCommand(id, cwd, process, keptBytes);
    Thread.ofVirtual().name("zett-tool-" + id).start(() -> command.out.drain(process.stdout()));
    Thread.ofVirtual().name("zett-tool-" + id).start(() -> command.err.drain(process.stderr()));
    return command;
  }

  String id() {
    return id;
  }

  String cwd() {
    return cwd;
  }

  SandboxProcess process() {
    return process;
  }

  boolean isRunning() {
    return process.isAlive();
  }

  /**
   * Waits for its end. If this thread is interrupted, the command is killed and reported as
   * canceled; the flag stays set.
   *
   * @throws ToolException if it could not be started
   */
  CommandReport await(int tailCharacters) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return ended(tailCharacters);
        } catch (InterruptedException e) {
          interrupted = true;
          stop();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private CommandReport ended(int tailCharacters) throws InterruptedException {
    try {
      SandboxResult result = process.onExit().get();
      out.awaitEnd();
      err.awaitEnd();
      return report(result, tailCharacters);
    } catch (CancellationException e) {
      return report(canceled(e), tailCharacters);
    } catch (ExecutionException e) {
      throw failure(e.getCause());
    }
  }

  /** What it did until the session was closed; a future may hand on the exception in another. */
  private static @Nullable SandboxResult canceled(CancellationException e) {
    Throwable told = e instanceof SandboxCanceledException ? e : e.getCause();
    return told instanceof SandboxCanceledException canceled
        ? canceled.result().orElse(null)
        : null;
  }

  private static RuntimeException failure(@Nullable Throwable cause) {
    if (cause instanceof SandboxException) {
      return new ToolException("the command was not run: " + cause.getMessage(), cause);
    }
    return new CompletionException(cause);
  }

  /** Kills it. */
  void stop() {
    stopped |= process.isAlive();
    process.kill();
  }

  /** Asks it to end first. */
  void stop(java.time.Duration grace) {
    stopped |= process.isAlive();
    process.terminate(grace);
  }

  private CommandReport report(@Nullable SandboxResult result, int tailCharacters) {
    CommandReport.Outcome how = CommandReport.Outcome.CANCELED;
    String limit = null;
    if (result != null) {
      switch (result.outcome()) {
        case Outcome.Exited _ -> how = CommandReport.Outcome.EXITED;
        case Outcome.Signaled _ ->
            how = stopped ? CommandReport.Outcome.CANCELED : CommandReport.Outcome.SIGNALED;
        case Outcome.TimedOut _ -> how = CommandReport.Outcome.TIMED_OUT;
        case Outcome.LimitExceeded(Limit exceeded) -> {
          how = CommandReport.Outcome.LIMIT_EXCEEDED;
          limit = exceeded.wireName();
        }
        case Outcome.Canceled _ -> {}
      }
    }
    return new CommandReport(
        id,
        cwd,
        how,
        result == null ? 137 : result.exitCode(),
        limit,
        result == null ? List.of() : result.limitsHit().stream().map(Limit::wireName).toList(),
        out.tail(tailCharacters),
        err.tail(tailCharacters),
        result == null ? 0 : result.usage().wall().toNanos() / 1e9);
  }

  /**
   * What it wrote from an offset on.
   *
   * @param offset null to go on where the last such call has ended
   * @param nanos how long to wait for something
   */
  OutputReport read(boolean errors, @Nullable Long offset, int characters, long nanos)
      throws InterruptedException {
    OutputLog log = errors ? err : out;
    long from = offset != null ? offset : position(errors);
    log.await(from, nanos);
    OutputPart part = log.read(from, characters);
    if (offset == null) {
      move(errors, part.to());
    }
    boolean running = process.isAlive();
    return new OutputReport(
        id,
        errors ? "stderr" : "stdout",
        part,
        Math.max(0, part.from() - from),
        running,
        running ? null : exitCode());
  }

  /**
   * Writes to it, and waits a while until it takes that.
   *
   * @throws ToolException if it does not, or takes no input
   */
  void send(byte[] bytes, boolean close) throws InterruptedException {
    OutputStream stdin = process.stdin();
    CompletableFuture<Void> sent = new CompletableFuture<>();
    synchronized (this) {
      if (!sending.isDone()) {
        throw new ToolException(
            id + " has not read what was sent before; read_output shows what it is doing");
      }
      sending = sent;
    }
    Thread.ofVirtual()
        .name("zett-tool-" + id)
        .start(
            () -> {
              try {
                stdin.write(bytes);
                stdin.flush();
                if (close) {
                  stdin.close();
                }
                sent.complete(null);
              } catch (Throwable e) {
                sent.completeExceptionally(e);
              }
            });
    try {
      sent.get(SEND_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      String why = String.valueOf(e.getCause() == null ? e : e.getCause().getMessage());
      throw new ToolException(
          id + " takes no input: " + why + "; read_output shows how it ended", e);
    } catch (TimeoutException e) {
      throw new ToolException(
          id + " does not read its input now; what was sent reaches it when it does", e);
    }
  }

  private synchronized long position(boolean errors) {
    return errors ? errRead : outRead;
  }

  private synchronized void move(boolean errors, long to) {
    if (errors) {
      errRead = to;
    } else {
      outRead = to;
    }
  }

  private @Nullable Integer exitCode() {
    try {
      return process.onExit().join().exitCode();
    } catch (CancellationException e) {
      SandboxResult result = canceled(e);
      return result == null ? null : result.exitCode();
    } catch (CompletionException e) {
      throw failure(e.getCause());
    }
  }
}
