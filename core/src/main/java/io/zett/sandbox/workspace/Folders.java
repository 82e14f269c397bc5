package io.zett.sandbox.workspace;

import static io.zett.sandbox.posix.Constants.O_DIRECTORY;
import static io.zett.sandbox.posix.Constants.O_NOFOLLOW;
import static io.zett.sandbox.posix.Constants.O_PATH;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;

/**
 * Opens a folder by a path that holds no links, and fails if a command has put one in. Thread-safe.
 */
public final class Folders {

  private Folders() {}

  /**
   * An {@code O_PATH} descriptor, good for names below it.
   *
   * @throws PosixException {@code ELOOP} or {@code ENOTDIR} if a component is a link
   */
  public static int open(Posix posix, UnixPath path) {
    try {
      return posix.openat2(
          Constants.AT_FDCWD,
          path.bytes(),
          O_PATH | O_DIRECTORY | O_NOFOLLOW,
          0,
          Constants.RESOLVE_NO_SYMLINKS);
    } catch (PosixException e) {
      // Kernels before 5.6; old container filters say EPERM.
      if (e.errno() != Errno.ENOSYS && e.errno() != Errno.EPERM) {
        throw e;
      }
      return walk(posix, path);
    }
  }

  private static int walk(Posix posix, UnixPath path) {
    UnixPath parent = path.parent();
    int flags = O_PATH | O_DIRECTORY | O_NOFOLLOW;
    if (parent == null) {
      return posix.open(path, flags, 0);
    }
    int above = walk(posix, parent);
    try {
      return posix.openat(above, path.name(), flags, 0);
    } finally {
      posix.close(above);
    }
  }
}
