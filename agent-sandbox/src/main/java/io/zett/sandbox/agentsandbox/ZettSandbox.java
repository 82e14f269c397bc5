package io.zett.sandbox.agentsandbox;

import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxCanceledException;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springaicommunity.sandbox.ExecResult;
import org.springaicommunity.sandbox.ExecSpec;
import org.springaicommunity.sandbox.ExecSpecCustomizer;
import org.springaicommunity.sandbox.FileSpec;
import org.springaicommunity.sandbox.Sandbox;
import org.springaicommunity.sandbox.SandboxException;
import org.springaicommunity.sandbox.SandboxFiles;
import org.springaicommunity.sandbox.TimeoutException;

/**
 * A {@link Sandbox} of agent-sandbox whose commands are isolated. It is made as a {@code
 * LocalSandbox} is:
 *
 * <pre>{@code
 * try (Sandbox sandbox = ZettSandbox.builder().workingDirectory(project).build()) {
 *   ExecResult result = sandbox.exec(ExecSpec.of("make", "test"));
 * }
 * }</pre>
 *
 * <p>Commands write the working directory and nothing else, see no credentials, have no network and
 * an environment of few variables; {@link Builder#policy} says otherwise, and sets limits. Where a
 * command's specification has no timeout the policy's holds, and unless a policy is given there is
 * none. As {@code LocalSandbox}, a shell command is for {@code bash}.
 *
 * <p>A command that a limit ends has exit code 137 and says so in the last line of its error
 * output. Output beyond {@link Builder#maxOutputBytes} is left out, which a last line says, too.
 * Closing ends what runs, and deletes a temporary working directory. Thread-safe.
 */
public final class ZettSandbox implements Sandbox {
  // What ExecSpec.Builder.shellCommand puts before its text.
  private static final String SHELL = "__SHELL_COMMAND__";

  private final SandboxSession session;
  private final Path workDir;
  private final List<ExecSpecCustomizer> customizers;
  private final boolean temporary;
  private final long maxOutputBytes;
  private final SandboxFiles files;

  private ZettSandbox(
      SandboxSession session,
      List<ExecSpecCustomizer> customizers,
      boolean temporary,
      long maxOutputBytes) {
    this.session = session;
    this.workDir = session.workspace();
    this.customizers = List.copyOf(customizers);
    this.temporary = temporary;
    this.maxOutputBytes = maxOutputBytes;
    this.files = new WorkspaceFiles(this, session.files(), workDir);
  }

  /** A builder; see {@link Builder}. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Runs a command and waits for its end, also to that of all that it has started.
   *
   * @throws IllegalStateException if this is closed
   * @throws IllegalArgumentException if a customizer leaves no command
   * @throws SandboxException if its time is up, with a {@link TimeoutException} as the cause; if it
   *     cannot be run; or if this thread is interrupted, which kills it and keeps the flag
   */
  @Override
  public ExecResult exec(ExecSpec spec) {
    ExecSpec customized = customized(spec);
    SandboxResult result;
    try {
      result = session.run(command(customized).maxOutputBytes(maxOutputBytes));
    } catch (SandboxCanceledException
        | io.zett.sandbox.SandboxException
        | IllegalArgumentException e) {
      throw new SandboxException("Failed to execute command: " + e.getMessage(), e);
    }
    if (result.outcome() instanceof Outcome.TimedOut(Duration limit)) {
      throw new SandboxException(
          "Command timed out after " + limit,
          new TimeoutException("Command timed out after " + limit, limit));
    }
    return Results.of(result);
  }

  /**
   * Starts a command whose streams are read and written while it runs. It ends at the latest when
   * this is closed, or after the time of its specification. Its process is seen by this JVM as a
   * {@code Process} without a process id: {@link Process#pid} and what needs it is not supported.
   *
   * @throws IllegalStateException if this is closed
   * @throws IllegalArgumentException if a customizer leaves no command
   * @throws SandboxException if it cannot be started
   */
  @Override
  public Process startInteractive(ExecSpec spec) {
    ExecSpec customized = customized(spec);
    try {
      return new InteractiveProcess(session.start(command(customized)));
    } catch (io.zett.sandbox.SandboxException | IllegalArgumentException e) {
      throw new SandboxException("Failed to start interactive process: " + e.getMessage(), e);
    }
  }

  private ExecSpec customized(ExecSpec spec) {
    if (isClosed()) {
      throw new IllegalStateException("Sandbox is closed");
    }
    ExecSpec customized = spec;
    for (ExecSpecCustomizer customizer : customizers) {
      customized = customizer.customize(customized);
    }
    if (customized.command().isEmpty()) {
      throw new IllegalArgumentException("Command cannot be null or empty");
    }
    return customized;
  }

  private static SandboxCommand command(ExecSpec spec) {
    List<String> words = spec.command();
    SandboxCommand command =
        words.size() >= 2 && words.getFirst().equals(SHELL)
            ? SandboxCommand.of("bash", "-c", words.get(1))
            : SandboxCommand.of(words);
    command = command.env(spec.env());
    @Nullable Duration timeout = spec.timeout();
    return timeout == null ? command : command.timeout(timeout);
  }

  /** Where commands start and what they may write: a real, absolute path, in and out the same. */
  @Override
  public Path workDir() {
    return workDir;
  }

  @Override
  public boolean isClosed() {
    return !session.isOpen();
  }

  /** Ends what runs and waits until it is dead. Twice is harmless. */
  @Override
  public void close() {
    session.close();
  }

  /**
   * The files of the working directory. No symbolic link is followed, at any component of a path,
   * and nothing beyond the directory is reached: what would be is a {@link SandboxException}, and
   * does not exist for {@code exists}.
   */
  @Override
  public SandboxFiles files() {
    return files;
  }

  @Override
  public boolean shouldCleanupOnClose() {
    return temporary;
  }

  /** What is applied to each specification, in order. */
  public List<ExecSpecCustomizer> getCustomizers() {
    return customizers;
  }

  /** The session, with what this interface has no words for. */
  public SandboxSession session() {
    return session;
  }

  /** Where it is and whether it is closed. */
  @Override
  public String toString() {
    return "ZettSandbox[workDir=" + workDir + ", closed=" + isClosed() + "]";
  }

  /** Builds sandboxes as {@code LocalSandbox.Builder} does. Not thread-safe. */
  public static final class Builder {
    private @Nullable Path workingDirectory;
    private boolean temporary;
    private final List<ExecSpecCustomizer> customizers = new ArrayList<>();
    private final List<FileSpec> initial = new ArrayList<>();
    private long maxOutputBytes = 16_777_216;
    private SandboxPolicy policy =
        SandboxPolicy.builder().noTimeout().requireIsolation(true).build();

    private Builder() {}

    /**
     * The directory that commands may write and start in; made if it is missing, and never deleted.
     * The current directory unless set.
     */
    public Builder workingDirectory(Path path) {
      workingDirectory = Objects.requireNonNull(path, "path");
      temporary = false;
      return this;
    }

    /** A new directory that is deleted when the sandbox is closed. */
    public Builder tempDirectory() {
      temporary = true;
      return this;
    }

    /**
     * The same.
     *
     * @param prefix of no effect: the library gives its directories names by which it finds those
     *     of a JVM that was killed
     */
    public Builder tempDirectory(String prefix) {
      Objects.requireNonNull(prefix, "prefix");
      return tempDirectory();
    }

    /** What is applied to each specification, after those before. */
    public Builder customizer(ExecSpecCustomizer customizer) {
      customizers.add(Objects.requireNonNull(customizer, "customizer"));
      return this;
    }

    /** A file that is there from the beginning. */
    public Builder withFile(String path, String content) {
      initial.add(FileSpec.of(path, content));
      return this;
    }

    /** Files that are there from the beginning. */
    public Builder withFiles(List<FileSpec> files) {
      initial.addAll(files);
      return this;
    }

    /**
     * What commands may do and use. Unless set they have no timeout but their own, and a machine
     * that cannot isolate them is an error.
     */
    public Builder policy(SandboxPolicy rules) {
      policy = Objects.requireNonNull(rules, "rules");
      return this;
    }

    /**
     * How much of the beginning of each stream a result has; 16 MiB unless set.
     *
     * @param bytes as {@link SandboxCommand#maxOutputBytes(long)} takes them
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder maxOutputBytes(long bytes) {
      maxOutputBytes = SandboxCommand.of("true").maxOutputBytes(bytes).maxOutputBytes();
      return this;
    }

    /**
     * Opens it.
     *
     * @throws SandboxException if that cannot be: the message says why, and what mends it
     */
    public ZettSandbox build() {
      SandboxSession session = open();
      try {
        ZettSandbox sandbox = new ZettSandbox(session, customizers, temporary, maxOutputBytes);
        sandbox.files().setup(initial);
        return sandbox;
      } catch (RuntimeException e) {
        session.close();
        throw e;
      }
    }

    private SandboxSession open() {
      SandboxSession.Builder builder = SandboxSession.builder(policy);
      try {
        if (!temporary) {
          Path path = workingDirectory == null ? Path.of("").toAbsolutePath() : workingDirectory;
          Files.createDirectories(path);
          builder.workspace(path);
        }
        return builder.open();
      } catch (io.zett.sandbox.SandboxException | IllegalArgumentException | IOException e) {
        throw new SandboxException("Failed to open the sandbox: " + e.getMessage(), e);
      }
    }
  }
}
