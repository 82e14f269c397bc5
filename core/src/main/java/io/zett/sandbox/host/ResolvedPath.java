package io.zett.sandbox.host;

import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.UnixPath;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a path leads on the disk once its links are followed.
 *
 * @param real the path without links; for a missing one, where it would be made
 * @param status what is there; null when {@code real} does not exist or cannot be looked at
 * @param firstMissing the first component that does not exist; null when all do or none can
 * @param obstacle a component in the middle that is no directory or may not be searched; null
 *     without
 * @param links where the links are that were followed
 * @param replaceable whether one of the links is in a directory that commands may write
 */
public record ResolvedPath(
    UnixPath real,
    @Nullable FileStatus status,
    @Nullable UnixPath firstMissing,
    @Nullable UnixPath obstacle,
    List<UnixPath> links,
    boolean replaceable) {

  public ResolvedPath {
    links = List.copyOf(links);
  }

  /** An existing path without links. */
  public static ResolvedPath existing(UnixPath real, FileStatus status) {
    return new ResolvedPath(real, status, null, null, List.of(), false);
  }

  /** A missing path without links. */
  public static ResolvedPath missing(UnixPath real, UnixPath firstMissing) {
    return new ResolvedPath(real, null, firstMissing, null, List.of(), false);
  }

  /** Whether it exists. */
  public boolean exists() {
    return status != null;
  }

  /** Whether it is a directory. */
  public boolean isDirectory() {
    return status != null && status.isDirectory();
  }
}
