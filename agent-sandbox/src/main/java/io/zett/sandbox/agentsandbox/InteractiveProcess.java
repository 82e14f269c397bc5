package io.zett.sandbox.agentsandbox;

import io.zett.sandbox.SandboxProcess;
import io.zett.sandbox.SandboxResult;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** A command of the sandbox as a process of the JDK. */
final class InteractiveProcess extends Process {
  // As the command of the library has them: 128 and SIGKILL, and what it could not run.
  private static final int CANCELED = 137;
  private static final int NOT_RUN = 125;
  private static final int SIGTERM = 15;

  private final SandboxProcess process;

  InteractiveProcess(SandboxProcess process) {
    this.process = process;
  }

  @Override
  public OutputStream getOutputStream() {
    return process.stdin();
  }

  @Override
  public InputStream getInputStream() {
    return process.stdout();
  }

  @Override
  public InputStream getErrorStream() {
    return process.stderr();
  }

  @Override
  public int waitFor() throws InterruptedException {
    try {
      return process.onExit().get().exitCode();
    } catch (ExecutionException | CancellationException e) {
      return exitValue();
    }
  }

  @Override
  public boolean waitFor(long timeout, TimeUnit unit) throws InterruptedException {
    return process.waitFor(Duration.ofNanos(Math.max(0, unit.toNanos(timeout))));
  }

  @Override
  public int exitValue() {
    CompletableFuture<SandboxResult> end = process.onExit();
    if (!end.isDone()) {
      throw new IllegalThreadStateException("the process has not ended");
    }
    try {
      return end.join().exitCode();
    } catch (CancellationException e) {
      return CANCELED;
    } catch (CompletionException e) {
      return e.getCause() instanceof CancellationException ? CANCELED : NOT_RUN;
    }
  }

  @Override
  public boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public CompletableFuture<Process> onExit() {
    return process.onExit().handle((_, _) -> this);
  }

  @Override
  public boolean supportsNormalTermination() {
    return true;
  }

  @Override
  public void destroy() {
    process.signal(SIGTERM);
  }

  @Override
  public Process destroyForcibly() {
    process.kill();
    return this;
  }

  @Override
  public String toString() {
    return process.toString();
  }
}
