package io.zett.sandbox;

import io.zett.sandbox.engine.Engine;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An open sandbox over an existing workspace: a {@link SandboxSession} without the life of a
 * workspace. Thread-safe; commands can be run from many threads at once.
 */
public final class Sandbox implements AutoCloseable {
  private final Engine engine;
  private final SandboxPolicy policy;
  private final ReentrantLock closing = new ReentrantLock();
  private final SandboxFiles files;
  private boolean closed;

  private Sandbox(Engine engine, SandboxPolicy policy) {
    this.engine = engine;
    this.policy = policy;
    this.files = new SandboxFiles(engine.files());
  }

  /**
   * Opens a sandbox.
   *
   * @param workspace an existing directory that commands may write, not the root directory; it is
   *     never deleted. A relative path is the current directory's
   * @throws IllegalArgumentException if the workspace, or a directory that the policy makes
   *     writable, does not exist or cannot be one
   * @throws SandboxUnavailableException if no usable backend is there
   * @throws SandboxSetupException if the sandbox could not be built; nothing is left behind
   */
  public static Sandbox open(SandboxPolicy policy, Path workspace) {
    Objects.requireNonNull(workspace, "workspace");
    return openIn(Objects.requireNonNull(policy, "policy"), SandboxSession.workspace(workspace));
  }

  /** Opens in a workspace, or in a new private one, which closing deletes. */
  static Sandbox openIn(SandboxPolicy policy, @Nullable Path workspace) {
    return new Sandbox(Engine.open(policy, workspace), policy);
  }

  /** What commands may do and use. */
  public SandboxPolicy policy() {
    return policy;
  }

  /** The real absolute path of the workspace, the same inside and outside; also after closing. */
  public Path workspace() {
    return engine.workspace();
  }

  /** The files of the workspace, for the host program; usable until the sandbox closes. */
  public SandboxFiles files() {
    return files;
  }

  /** What is enforced, and how. */
  public ResourceReport capabilities() {
    return engine.report();
  }

  /**
   * What a command would meet at each of these paths if it started now, and why: what is mounted
   * for it is planned, and nothing is started. That the files' own permissions hold as well is not
   * looked at. Links are followed as the command would follow them.
   *
   * @param paths relative ones are the current directory's
   * @return one for each, in their order
   * @throws IllegalArgumentException for an empty path, and for one that begins with {@code ~}
   * @throws SandboxClosedException if the sandbox is not open
   * @throws SandboxSetupException if no sandbox can be planned for what is on the disk now
   */
  public List<PathExplanation> explain(Path... paths) {
    return engine.explain(GivenPath.absolute("explain", Arrays.asList(paths)));
  }

  /** Whether commands can be run right now. */
  public boolean isOpen() {
    return engine.isOpen();
  }

  /**
   * Runs a text by {@code /bin/sh -c} (Windows: {@code cmd.exe /d /s /c}) and waits for its end.
   *
   * @throws IllegalArgumentException as {@link SandboxCommand#shell}
   * @see #run(SandboxCommand)
   */
  public SandboxResult run(String shellText) {
    return run(SandboxCommand.shell(shellText));
  }

  /**
   * Runs a program with its arguments, nothing parsed, and waits for its end.
   *
   * @throws IllegalArgumentException as {@link SandboxCommand#of(List)}
   * @see #run(SandboxCommand)
   */
  public SandboxResult run(List<String> arguments) {
    return run(SandboxCommand.of(arguments));
  }

  /**
   * Runs a command and waits for its end. When this returns or throws, every process that the
   * command started is dead. Any number of threads can call it; commands beyond {@link
   * SandboxPolicy#maxConcurrent()} wait in order.
   *
   * @throws SandboxClosedException if the sandbox is not open
   * @throws SandboxSetupException if the sandbox of this command could not be built; it did not run
   * @throws SandboxCommandException if the command is {@linkplain SandboxCommand#checked() checked}
   *     and did not succeed
   * @throws SandboxCanceledException if this thread was interrupted, which leaves its flag set, or
   *     the sandbox was closed meanwhile. With the flag set already, nothing starts
   */
  public SandboxResult run(SandboxCommand command) {
    return engine.run(Objects.requireNonNull(command, "command"));
  }

  /**
   * Starts a text by the shell.
   *
   * @throws IllegalArgumentException as {@link SandboxCommand#shell}
   * @see #runAsync(SandboxCommand)
   */
  public CompletableFuture<SandboxResult> runAsync(String shellText) {
    return runAsync(SandboxCommand.shell(shellText));
  }

  /**
   * Starts a program with its arguments.
   *
   * @throws IllegalArgumentException as {@link SandboxCommand#of(List)}
   * @see #runAsync(SandboxCommand)
   */
  public CompletableFuture<SandboxResult> runAsync(List<String> arguments) {
    return runAsync(SandboxCommand.of(arguments));
  }

  /**
   * Starts a command. However the future is completed from outside ({@code cancel}, {@code
   * orTimeout}, {@code complete}), the command is ended; cancelling a stage that depends on it does
   * not. If the sandbox is closed meanwhile, the future is cancelled. All that {@link
   * #run(SandboxCommand)} throws arrives in the future.
   */
  public CompletableFuture<SandboxResult> runAsync(SandboxCommand command) {
    return engine.runAsync(Objects.requireNonNull(command, "command"));
  }

  /**
   * Starts a command whose streams are read and written while it runs. It waits for its turn when
   * {@link SandboxPolicy#maxConcurrent()} commands run; the time limit of the policy is not for it.
   *
   * @throws SandboxClosedException if the sandbox is not open
   * @see SandboxProcess
   */
  public SandboxProcess start(SandboxCommand command) {
    return new SandboxProcess(command, engine.start(Objects.requireNonNull(command, "command")));
  }

  /**
   * Ends every running command with its whole tree and returns when all are dead. Twice is
   * harmless; several threads can call it, each returns when it is done. Not hindered by
   * interruption.
   */
  @Override
  public void close() {
    closing.lock();
    try {
      if (!closed) {
        closed = true;
        engine.close();
      }
    } finally {
      closing.unlock();
    }
  }

  /** The workspace and whether it is open. */
  @Override
  public String toString() {
    return "Sandbox[" + workspace() + ", " + (isOpen() ? "open" : "closed") + "]";
  }
}
