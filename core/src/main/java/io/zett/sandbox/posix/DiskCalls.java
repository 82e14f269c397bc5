package io.zett.sandbox.posix;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of a disk to plan a sandbox. Apart from the other calls, since a JDK can answer it
 * by itself where those are not made. Thread-safe.
 */
public interface DiskCalls {

  /** Does not follow a last link; null when a component is missing (ENOENT, ENOTDIR). */
  @Nullable FileStatus lstat(UnixPath path);

  /** As {@link #lstat}; null also for what this process may not look at. A shortage is thrown. */
  default @Nullable FileStatus lstatIfAllowed(UnixPath path) {
    try {
      return lstat(path);
    } catch (PosixException e) {
      e.throwIfShortage();
      return null;
    }
  }

  /** Where a link leads, as its bytes say. */
  byte[] readlink(UnixPath path);

  /**
   * Hands on each entry of a directory as it is read, without {@code .} and {@code ..}; none, or no
   * more, where it is missing or may not be read. A shortage is thrown.
   */
  void list(UnixPath directory, Consumer<DirectoryEntry> each);

  /** The first bytes of a regular file; none of anything else. Links are followed. */
  byte[] readRegularFile(UnixPath path, int limit);

  /** Remembers paths as they were seen. */
  SeenFiles remember(List<SeenFile> files);
}
