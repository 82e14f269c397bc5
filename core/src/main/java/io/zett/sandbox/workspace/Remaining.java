package io.zett.sandbox.workspace;

import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.UnixPath;

/**
 * Something that could not be removed.
 *
 * @param path where it still is
 * @param errno why; {@code EXDEV} stands for a mount, which is never entered
 */
public record Remaining(UnixPath path, int errno) {

  /** The reason for people. */
  public String reason() {
    return errno == Errno.EXDEV ? "something is mounted there" : Errno.describe(errno);
  }

  @Override
  public String toString() {
    return path + ": " + reason();
  }
}
