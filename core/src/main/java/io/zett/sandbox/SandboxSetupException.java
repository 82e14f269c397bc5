package io.zett.sandbox;

import java.io.Serial;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The sandbox of this session or command could not be built; the command did not run. A working
 * directory that does not exist is one of the reasons.
 *
 * <p>Also thrown when the system refuses what it takes to follow a command that runs, for lack of
 * memory for instance; the command has been ended then, and its output is lost.
 */
public final class SandboxSetupException extends SandboxException {
  @Serial private static final long serialVersionUID = 1;

  private final String step;
  // Paths are not serializable; the message names it.
  private final transient @Nullable Path path;

  /** With the step that failed and what was wrong. */
  public SandboxSetupException(String step, String problem) {
    this(step, null, problem, null);
  }

  /**
   * With all that is known.
   *
   * @param step what was being done, such as {@code working directory}
   * @param path the file it was about, if one
   * @param problem what was wrong, without the path
   * @param cause the error below, if one
   */
  public SandboxSetupException(
      String step, @Nullable Path path, String problem, @Nullable Throwable cause) {
    super(step + ": " + (path == null ? "" : path + ": ") + problem, cause);
    this.step = Objects.requireNonNull(step, "step");
    this.path = path;
  }

  /** What was being done when it failed, in a few words. */
  public String step() {
    return step;
  }

  /** The file it was about, if it was about one; empty too after serialization. */
  public Optional<Path> path() {
    return Optional.ofNullable(path);
  }
}
