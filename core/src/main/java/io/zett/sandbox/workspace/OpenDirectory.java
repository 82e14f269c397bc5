package io.zett.sandbox.workspace;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.DirectoryEntry;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A directory that is being emptied: its descriptor and how far its listing has come. */
final class OpenDirectory {

  private static final byte[] SELF = {'.'};

  final Posix posix;
  final @Nullable OpenDirectory parent;
  final byte[] name;
  final int depth;

  private final UnixPath root;
  private int fd;
  private List<DirectoryEntry> batch = List.of();
  private int next;
  private boolean opened;

  /** Where the deletion's log stood when this pass began. */
  int mark;

  /** Something below could not be removed in this pass. */
  boolean kept;

  /** Something was removed in this pass. */
  boolean progress;

  private OpenDirectory(
      Posix posix, int fd, @Nullable OpenDirectory parent, byte[] name, UnixPath root, int depth) {
    this.posix = posix;
    this.fd = fd;
    this.parent = parent;
    this.name = name;
    this.root = root;
    this.depth = depth;
  }

  static OpenDirectory top(Posix posix, int fd, UnixPath path) {
    return new OpenDirectory(posix, fd, null, path.name(), path, 0);
  }

  OpenDirectory below(int childFd, byte[] childName) {
    return new OpenDirectory(posix, childFd, this, childName, root, depth + 1);
  }

  int fd() {
    return fd;
  }

  /** The next entry of this pass; null at its end. */
  @Nullable DirectoryEntry next() {
    if (next == batch.size()) {
      batch = posix.getdents(fd);
      next = 0;
    }
    return next < batch.size() ? batch.get(next++) : null;
  }

  /**
   * Begins the listing again. Some file systems skip entries while others are removed; a new
   * description is the portable way to the beginning.
   */
  void rewind() {
    int again = posix.openat(fd, SELF, Constants.O_RDONLY | Constants.O_DIRECTORY, 0);
    posix.close(fd);
    fd = again;
    batch = List.of();
    next = 0;
    kept = false;
    progress = false;
  }

  /** Removes a name, if need be after making this directory writable; the error number or 0. */
  int unlink(byte[] child, int flags) {
    int errno = unlink(posix, fd, child, flags);
    return errno == Errno.EACCES && makeWritable() ? unlink(posix, fd, child, flags) : errno;
  }

  static int unlink(Posix posix, int directory, byte[] name, int flags) {
    try {
      posix.unlinkat(directory, name, flags);
      return 0;
    } catch (PosixException e) {
      return e.errno();
    }
  }

  /** Gives the owner all rights, once; whether it is worth trying again. */
  boolean makeWritable() {
    if (opened) {
      return false;
    }
    opened = true;
    try {
      posix.fchmod(fd, 0700);
      return true;
    } catch (PosixException e) {
      return false; // Not ours.
    }
  }

  UnixPath path() {
    return parent == null ? root : parent.path().resolve(name);
  }

  void close() {
    posix.close(fd);
  }
}
