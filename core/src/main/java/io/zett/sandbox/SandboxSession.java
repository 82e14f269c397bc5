package io.zett.sandbox;

import io.zett.sandbox.engine.Engine;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A sandbox with a workspace, opened once and closed once.
 *
 * <pre>{@code
 * try (var sb = SandboxSession.builder().memory("256MB").timeout(Duration.ofSeconds(30)).open()) {
 *   Files.writeString(sb.workspace().resolve("job.py"), code);
 *   SandboxResult result = sb.run(List.of("python3", "job.py"));
 * }
 * }</pre>
 *
 * <p>Thread-safe; commands can be run from many threads at once, virtual ones too, and from inside
 * completion stages: user code never runs on a thread of the engine. Threads of the library are
 * daemons.
 */
public final class SandboxSession implements AutoCloseable {
  private final SandboxPolicy policy;
  private final @Nullable Path workspace;
  private final AtomicBoolean begun = new AtomicBoolean();
  // Held while opening and while closing, so that closing leaves nothing of a half-done opening.
  private final ReentrantLock life = new ReentrantLock();
  private volatile boolean closed;
  private volatile @Nullable Sandbox sandbox;

  private SandboxSession(SandboxPolicy policy, @Nullable Path workspace) {
    this.policy = policy;
    this.workspace = workspace;
  }

  /** A builder that has the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** A builder that begins with what a policy says. */
  public static Builder builder(SandboxPolicy policy) {
    Builder builder = new Builder();
    builder.copy(policy);
    return builder;
  }

  /**
   * Creates the workspace, unless one was given, and the sandbox. A failed opening leaves nothing
   * behind.
   *
   * @return this session
   * @throws IllegalStateException if it was opened or closed before; a session has one life
   * @throws IllegalArgumentException if the workspace, or a directory that the policy makes
   *     writable, does not exist or cannot be one
   * @throws SandboxUnavailableException if no usable backend is there
   * @throws SandboxSetupException if the sandbox could not be built
   * @throws SandboxClosedException if another thread closed the session meanwhile
   */
  public SandboxSession open() {
    if (!begun.compareAndSet(false, true)) {
      throw new IllegalStateException(
          "a session is opened once"
              + (closed ? ", and this one was closed" : "")
              + "; build() gives another");
    }
    life.lock();
    try {
      if (closed) {
        throw closedException();
      }
      try {
        sandbox = Sandbox.openIn(policy, workspace);
      } finally {
        closed = sandbox == null;
      }
    } finally {
      life.unlock();
    }
    return this;
  }

  /**
   * Ends every running command with its whole tree, waits until all are dead, and then deletes what
   * the session created. A workspace or writable directory that the caller supplied is never
   * deleted.
   *
   * <p>Twice is harmless; several threads can call it, each returns when it is done; if the session
   * is being opened, that is awaited. Not hindered by interruption. A session that was closed
   * before it was opened cannot be opened any more.
   */
  @Override
  public void close() {
    begun.set(true);
    life.lock();
    try {
      closed = true;
      Sandbox opened = sandbox;
      if (opened != null) {
        opened.close();
      }
    } finally {
      life.unlock();
    }
  }

  /** Whether commands can be run right now. */
  public boolean isOpen() {
    Sandbox opened = sandbox;
    return opened != null && !closed && opened.isOpen();
  }

  /**
   * The real absolute path of the workspace, the same inside and outside; where commands start.
   *
   * @throws SandboxClosedException before opening and after closing
   */
  public Path workspace() {
    return sandbox().workspace();
  }

  /**
   * The files of the workspace, for the host program: to read and write them while commands that
   * are not trusted can be running.
   *
   * @throws SandboxClosedException if the session is not open
   */
  public SandboxFiles files() {
    return sandbox().files();
  }

  /**
   * The lower-level sandbox. Closing it ends this session too.
   *
   * @throws SandboxClosedException if the session is not open
   */
  public Sandbox sandbox() {
    Sandbox opened = sandbox;
    if (opened == null || closed || !opened.isOpen()) {
      throw closedException();
    }
    return opened;
  }

  /** What commands may do and use. */
  public SandboxPolicy policy() {
    return policy;
  }

  /** What is enforced, and how; also before opening, and where no backend is usable. */
  public ResourceReport capabilities() {
    Sandbox opened = sandbox;
    return opened == null ? Engine.report(policy) : opened.capabilities();
  }

  /**
   * Runs a text by {@code /bin/sh -c} (Windows: {@code cmd.exe /d /s /c}) and waits for its end.
   *
   * @throws IllegalArgumentException as {@link SandboxCommand#shell}
   * @see Sandbox#run(SandboxCommand)
   */
  public SandboxResult run(String shellText) {
    return run(SandboxCommand.shell(shellText));
  }

  /**
   * Runs a program with its arguments, nothing parsed, and waits for its end.
   *
   * @throws IllegalArgumentException as {@link SandboxCommand#of(List)}
   * @see Sandbox#run(SandboxCommand)
   */
  public SandboxResult run(List<String> arguments) {
    return run(SandboxCommand.of(arguments));
  }

  /**
   * Runs a command and waits for its end. When this returns or throws, every process that the
   * command started is dead. Any number of threads can call it; commands beyond {@link
   * SandboxPolicy#maxConcurrent()} wait in order.
   *
   * @throws SandboxClosedException if the session is not open
   * @throws SandboxSetupException if the sandbox of this command could not be built; it did not run
   * @throws SandboxCommandException if the command is {@linkplain SandboxCommand#checked() checked}
   *     and did not succeed
   * @throws SandboxCanceledException if this thread was interrupted, which leaves its flag set, or
   *     the session was closed meanwhile. With the flag set already, nothing starts
   */
  public SandboxResult run(SandboxCommand command) {
    Objects.requireNonNull(command, "command");
    return sandbox().run(command);
  }

  /**
   * Starts a text by the shell.
   *
   * @throws IllegalArgumentException as {@link SandboxCommand#shell}
   * @see Sandbox#runAsync(SandboxCommand)
   */
  public CompletableFuture<SandboxResult> runAsync(String shellText) {
    return runAsync(SandboxCommand.shell(shellText));
  }

  /**
   * Starts a program with its arguments.
   *
   * @throws IllegalArgumentException as {@link SandboxCommand#of(List)}
   * @see Sandbox#runAsync(SandboxCommand)
   */
  public CompletableFuture<SandboxResult> runAsync(List<String> arguments) {
    return runAsync(SandboxCommand.of(arguments));
  }

  /**
   * Starts a command. However the future is completed from outside ({@code cancel}, {@code
   * orTimeout}, {@code complete}), the command is ended; cancelling a stage that depends on it does
   * not. If the session is closed meanwhile, the future is cancelled. All that {@link
   * #run(SandboxCommand)} throws arrives in the future.
   */
  public CompletableFuture<SandboxResult> runAsync(SandboxCommand command) {
    Objects.requireNonNull(command, "command");
    Sandbox opened;
    try {
      opened = sandbox();
    } catch (SandboxClosedException notOpen) {
      return CompletableFuture.failedFuture(notOpen);
    }
    return opened.runAsync(command);
  }

  /**
   * Starts a command whose streams are read and written while it runs: a server, a prompt. The
   * session's time limit is not for it, only its own.
   *
   * @throws SandboxClosedException if the session is not open
   * @see Sandbox#start(SandboxCommand)
   */
  public SandboxProcess start(SandboxCommand command) {
    Objects.requireNonNull(command, "command");
    return sandbox().start(command);
  }

  /** The workspace, if one is known, and the state. */
  @Override
  public String toString() {
    Sandbox opened = sandbox;
    Path where = opened == null ? workspace : opened.workspace();
    String state = isOpen() ? "open" : closed ? "closed" : "not open yet";
    return "SandboxSession[" + (where == null ? "private workspace" : where) + ", " + state + "]";
  }

  private SandboxClosedException closedException() {
    return new SandboxClosedException(
        sandbox == null && !closed
            ? "the session is not open yet: call open()"
            : "the session is closed");
  }

  /** Checks a workspace as far as that goes without the disk. */
  static Path workspace(Path directory) {
    return GivenPath.notRoot(
        "workspace",
        GivenPath.absolute("workspace", directory),
        "name the directory that commands may write");
  }

  /** Builds sessions; see {@link PolicyOptions} for the other options. Not thread-safe. */
  public static final class Builder extends PolicyOptions<Builder> {
    private @Nullable Path workspace;

    private Builder() {}

    @Override
    Builder self() {
      return this;
    }

    /**
     * An existing directory that commands may write and start in; never deleted. Default: a private
     * one with mode 0700, deleted when the session is closed.
     *
     * @param directory must exist when the session is opened; a relative path is the current
     *     directory's at the time of this call
     * @throws IllegalArgumentException for the root directory, an empty path, and one that begins
     *     with {@code ~}
     */
    public Builder workspace(Path directory) {
      workspace = SandboxSession.workspace(directory);
      return this;
    }

    /** A session that is not open yet; the builder can be used again. */
    public SandboxSession build() {
      return new SandboxSession(new SandboxPolicy(this), workspace);
    }

    /** Builds a session and opens it; throws what {@link SandboxSession#open()} does. */
    public SandboxSession open() {
      return build().open();
    }
  }
}
