package io.zett.sandbox;

import java.io.IOException;
import java.io.Serial;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file of a workspace could not be used. The message names the path, what is wrong and what mends
 * it; it never holds content.
 */
public final class SandboxFileException extends IOException {
  @Serial private static final long serialVersionUID = 1;

  private final String path;
  private final Reason reason;

  /** Why, for programs. */
  public enum Reason {
    /** Nothing is there. */
    NOT_FOUND,
    /** A component is a symbolic link. */
    LINK,
    /** It is a directory, a FIFO, a socket or a device where a file is needed, or the reverse. */
    WRONG_KIND,
    /** The policy denies it. */
    DENIED,
    /** It is larger than the bound. */
    TOO_LARGE,
    /** It holds bytes that are no UTF-8. */
    NOT_TEXT,
    /** The operating system refused it: permissions, a full disk, a directory that is not empty. */
    FAILED
  }

  /**
   * With all that is known.
   *
   * @param path as it was given
   * @param reason why, for programs
   * @param problem why, for people, with what mends it
   * @param cause the error below, if one
   */
  public SandboxFileException(
      String path, Reason reason, String problem, @Nullable Throwable cause) {
    super(path + ": " + problem, cause);
    this.path = Objects.requireNonNull(path, "path");
    this.reason = Objects.requireNonNull(reason, "reason");
  }

  /** The path as it was given; bytes that are no UTF-8 are replaced. */
  public String path() {
    return path;
  }

  /** Why. */
  public Reason reason() {
    return reason;
  }
}
