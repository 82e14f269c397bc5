package io.zett.sandbox.workspace;

import static io.zett.sandbox.posix.Constants.LOCK_EX;
import static io.zett.sandbox.posix.Constants.LOCK_NB;
import static io.zett.sandbox.posix.Constants.LOCK_SH;
import static io.zett.sandbox.posix.Constants.O_NOCTTY;
import static io.zett.sandbox.posix.Constants.O_NOFOLLOW;
import static io.zett.sandbox.posix.Constants.O_NONBLOCK;
import static io.zett.sandbox.posix.Constants.O_RDONLY;
import static io.zett.sandbox.posix.Constants.O_RDWR;
import static io.zett.sandbox.posix.Constants.O_TMPFILE;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Placeholders that carry their own tag (an extended attribute) and lock, so that no registry is
 * needed: every user of one holds a shared lock on it, a killed process's lock vanishes, and who
 * gets the exclusive lock is the last. It appears under its name tagged and locked, never before.
 */
final class TaggedPlaceholders implements PlaceholderScheme {

  static final String ATTRIBUTE = "user.zett.ph";
  private static final byte[] TAG = {'1'};
  private static final byte[] HANDED_OVER = {'0'};
  private static final byte[] SELF = {'.'};
  private static final int LOOK = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

  private final Posix posix;
  private final NamedPlacement named;

  TaggedPlaceholders(Posix posix) {
    this.posix = posix;
    this.named = new NamedPlacement(posix, this);
  }

  @Override
  public boolean recognizes(Slot slot, FileStatus status) {
    int fd;
    try {
      fd = posix.openat(slot.folder(), slot.name(), LOOK, 0);
    } catch (PosixException e) {
      return false;
    }
    try {
      return isTagged(fd);
    } finally {
      posix.close(fd);
    }
  }

  /**
   * @throws UntaggableException if this file system cannot hold the tag or place a new file
   */
  @Override
  public Hold attempt(Slot slot) {
    FileStatus there = slot.status();
    if (there != null) {
      return Slot.isPlausible(there) ? join(slot) : new Hold.Real();
    }
    return slot.directory() ? named.place(slot) : makeFile(slot);
  }

  private Hold join(Slot slot) {
    int fd;
    try {
      fd = posix.openat(slot.folder(), slot.name(), LOOK, 0);
    } catch (PosixException e) {
      return switch (e.errno()) {
        case Errno.EACCES -> new Hold.Real();
        case Errno.ENOENT, Errno.ELOOP, Errno.ENXIO -> new Hold.Contended(); // exchanged meanwhile
        default -> throw e;
      };
    }
    Hold hold = new Hold.Contended();
    try {
      if (!isTagged(fd)) {
        hold = new Hold.Real();
      } else if (posix.flock(fd, LOCK_SH | LOCK_NB)
          // Looked at again with the lock: the last user may just have taken it away.
          && slot.holds(fd)
          && isTagged(fd)) {
        hold = new Hold.Held(this, fd);
      }
      return hold;
    } finally {
      closeUnlessHeld(hold, fd);
    }
  }

  private Hold makeFile(Slot slot) {
    int fd;
    try {
      fd = posix.openat(slot.folder(), SELF, O_TMPFILE | O_RDWR, 0600);
    } catch (PosixException e) {
      // Kernels without it take it for a plain open of the directory.
      if (e.errno() == Errno.EOPNOTSUPP || e.errno() == Errno.EISDIR || e.errno() == Errno.EINVAL) {
        return named.place(slot);
      }
      throw e;
    }
    Hold hold = new Hold.Contended();
    try {
      prepare(fd, Slot.FILE_MODE);
      byte[] link = ("/proc/self/fd/" + fd).getBytes(StandardCharsets.US_ASCII);
      int follow = Constants.AT_SYMLINK_FOLLOW;
      posix.linkat(Constants.AT_FDCWD, link, slot.folder(), slot.name(), follow);
      hold = new Hold.Held(this, fd);
    } catch (PosixException e) {
      if (e.errno() != Errno.EEXIST) {
        throw e;
      }
    } finally {
      closeUnlessHeld(hold, fd);
    }
    if (hold instanceof Hold.Held) {
      try {
        removeLeftOver(slot);
      } catch (PosixException e) {
        // It can wait: whoever makes the next placeholder of this name looks for it again.
      }
    }
    return hold;
  }

  /** Makes a file that nobody has tagged a held placeholder. */
  Hold takeOver(Slot slot, FileStatus expected) {
    int fd = posix.openat(slot.folder(), slot.name(), LOOK, 0);
    Hold hold = new Hold.Real();
    try {
      if (posix.fstat(fd).isSameFile(expected) && !isTagged(fd)) {
        // A file that its owner cannot write takes no tag.
        posix.fchmod(fd, 0600);
        prepare(fd, Slot.FILE_MODE);
        hold = slot.holds(fd) ? new Hold.Held(this, fd) : hold;
      }
      return hold;
    } finally {
      closeUnlessHeld(hold, fd);
    }
  }

  /** Tag, mode, shared lock: in this order, since a read-only inode takes no tag. */
  void prepare(int fd, int mode) {
    try {
      posix.fsetxattr(fd, ATTRIBUTE, TAG, 0);
    } catch (PosixException e) {
      throw new UntaggableException(e);
    }
    posix.fchmod(fd, mode);
    posix.flock(fd, LOCK_SH | LOCK_NB);
  }

  private boolean isTagged(int fd) {
    try {
      return Arrays.equals(posix.fgetxattr(fd, ATTRIBUTE), TAG);
    } catch (PosixException e) {
      return false;
    }
  }

  @Override
  public boolean isIntact(Slot slot, int lock) {
    return slot.holds(lock);
  }

  @Override
  public void release(Slot slot, int lock) {
    if (!posix.flock(lock, LOCK_EX | LOCK_NB) || !slot.holds(lock)) {
      return;
    }
    if (Removal.isTakenAway(slot, posix.fstat(lock), this)) {
      return;
    }
    // The host has made it its own: real content in a read-only file would be a trap.
    FileStatus status = posix.fstat(lock);
    posix.fchmod(lock, status.permissions() | 0200);
    posix.fsetxattr(lock, ATTRIBUTE, HANDED_OVER, 0);
  }

  /** What a process that was killed while it took a placeholder away has left. */
  private void removeLeftOver(Slot slot) {
    Slot passing = slot.under(slot.passingName());
    FileStatus status = passing.status();
    if (status == null || !status.isRegular() || !Slot.isPlausible(status)) {
      return;
    }
    Hold hold = join(passing);
    if (hold instanceof Hold.Held held) {
      try {
        if (posix.flock(held.lock(), LOCK_EX | LOCK_NB) && passing.holds(held.lock())) {
          OpenDirectory.unlink(posix, passing.folder(), passing.name(), 0);
        }
      } finally {
        posix.close(held.lock());
      }
    }
  }

  private void closeUnlessHeld(Hold hold, int fd) {
    if (!(hold instanceof Hold.Held)) {
      posix.close(fd);
    }
  }

  /** This file system has no user attributes, or no rename that replaces nothing. */
  static final class UntaggableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UntaggableException(PosixException cause) {
      super(cause);
    }
  }
}
