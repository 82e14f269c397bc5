package io.zett.sandbox.posix;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;

/** Calls on names in directories. Names are bytes without a NUL. */
public interface DirectoryCalls extends FileCalls {

  /** An empty name reads the link that the descriptor itself is ({@code O_PATH|O_NOFOLLOW}). */
  byte[] readlinkat(int directory, byte[] name);

  void mkdirat(int directory, byte[] name, int mode);

  /** {@code flags}: 0, or {@code AT_REMOVEDIR} for a directory. */
  void unlinkat(int directory, byte[] name, int flags);

  void linkat(int fromDirectory, byte[] from, int toDirectory, byte[] to, int flags);

  /** {@code flags}: 0, {@code RENAME_NOREPLACE}, {@code RENAME_EXCHANGE}. */
  void renameat2(int fromDirectory, byte[] from, int toDirectory, byte[] to, int flags);

  void symlinkat(byte[] target, int directory, byte[] name);

  /** {@code fchmodat(2)}: follows a link in the last place. */
  void fchmodat(int directory, byte[] name, int mode);

  /** Both times in nanoseconds since 1970; {@code flags}: {@code AT_SYMLINK_NOFOLLOW} or 0. */
  void utimensat(int directory, byte[] name, long accessNanos, long changeNanos, int flags);

  /** {@code faccessat2(2)} with {@code R_OK}… and {@code AT_} flags: whether it may be done. */
  boolean faccessat(int directory, byte[] name, int mode, int flags);

  /** Whether this process (with its effective ids) may read, write or execute the path. */
  default boolean access(UnixPath path, int mode) {
    return faccessat(Constants.AT_FDCWD, path.bytes(), mode, Constants.AT_EACCESS);
  }

  /**
   * The next entries of an open directory, at most 32 KiB of them, without {@code .} and {@code
   * ..}; empty at the end.
   */
  List<DirectoryEntry> getdents(int directory);

  /**
   * What is left of an open directory, read as it is asked for, without {@code .} and {@code ..};
   * to be gone through once.
   */
  default Iterable<DirectoryEntry> entries(int directory) {
    return () -> new DirectoryEntries(this, directory);
  }

  /**
   * The names among the next entries that are numbers, as processes are in {@code /proc}: for
   * whoever reads a directory again and again. The buffer's limit is then how many bytes the kernel
   * filled: with room left for another entry, that was all.
   *
   * @param buffer a direct one, whose bytes are read at once
   */
  int[] numbers(int directory, ByteBuffer buffer);

  @Override
  default void list(UnixPath directory, Consumer<DirectoryEntry> each) {
    try {
      int fd = open(directory, Constants.O_RDONLY | Constants.O_DIRECTORY, 0);
      try {
        entries(fd).forEach(each);
      } finally {
        close(fd);
      }
    } catch (PosixException e) {
      e.throwIfShortage();
    }
  }
}
