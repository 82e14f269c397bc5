package io.zett.sandbox.workspace;

import static io.zett.sandbox.posix.Constants.O_DIRECTORY;
import static io.zett.sandbox.posix.Constants.O_NOFOLLOW;
import static io.zett.sandbox.posix.Constants.O_PATH;
import static io.zett.sandbox.posix.Constants.O_RDONLY;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.nio.charset.StandardCharsets;

/** The one way down: into a real directory of the same mount, through its parent's descriptor. */
final class Descent {

  private static final byte[] SELF = {'.'};
  private static final long BENEATH =
      Constants.RESOLVE_BENEATH | Constants.RESOLVE_NO_SYMLINKS | Constants.RESOLVE_NO_XDEV;

  private final Posix posix;
  private boolean openat2Missing;

  Descent(Posix posix) {
    this.posix = posix;
  }

  /**
   * Opens a directory for listing; one that its owner has locked is unlocked first.
   *
   * @throws PosixException {@code ENOTDIR} or {@code ELOOP} if it is no directory (any more),
   *     {@code EXDEV} if something is mounted on it
   */
  int into(int parent, byte[] name) {
    try {
      return open(parent, name, O_RDONLY);
    } catch (PosixException e) {
      if (e.errno() != Errno.EACCES) {
        throw e;
      }
    }
    int handle = open(parent, name, O_PATH);
    try {
      unlock(handle);
      return posix.openat(handle, SELF, O_RDONLY | O_DIRECTORY, 0);
    } finally {
      posix.close(handle);
    }
  }

  /** Gives the owner all rights over a directory that cannot be opened. */
  void unlock(int parent, byte[] name) {
    int handle = open(parent, name, O_PATH);
    try {
      unlock(handle);
    } finally {
      posix.close(handle);
    }
  }

  /** {@code fchmod} refuses an O_PATH descriptor; the link in /proc leads to exactly its inode. */
  private void unlock(int handle) {
    byte[] link = ("/proc/self/fd/" + handle).getBytes(StandardCharsets.US_ASCII);
    posix.fchmodat(Constants.AT_FDCWD, link, 0700);
  }

  private int open(int parent, byte[] name, int flags) {
    int all = flags | O_DIRECTORY | O_NOFOLLOW;
    if (!openat2Missing) {
      try {
        return posix.openat2(parent, name, all, 0, BENEATH);
      } catch (PosixException e) {
        // Kernels before 5.6; old container filters say EPERM, which openat2 itself never does
        // here.
        if (e.errno() != Errno.ENOSYS && e.errno() != Errno.EPERM) {
          throw e;
        }
        openat2Missing = true;
      }
    }
    int fd = posix.openat(parent, name, all, 0);
    if (mount(parent) != mount(fd)) {
      posix.close(fd);
      throw new PosixException(Errno.EXDEV, "openat", new String(name, StandardCharsets.UTF_8));
    }
    return fd;
  }

  private long mount(int fd) {
    long id = posix.fstat(fd).mountId();
    return id != 0 ? id : mountFromProc(fd);
  }

  /** Before kernel 5.8 {@code statx} does not tell the mount; fdinfo does since 3.15. */
  private long mountFromProc(int fd) {
    byte[] info = posix.readFile(UnixPath.ofText("/proc/self/fdinfo/" + fd), 4096);
    for (String line : new String(info, StandardCharsets.US_ASCII).lines().toList()) {
      if (line.startsWith("mnt_id:")) {
        return Long.parseLong(line.substring("mnt_id:".length()).strip());
      }
    }
    throw new PosixException(Errno.ENOSYS, "fdinfo", "mnt_id");
  }
}
