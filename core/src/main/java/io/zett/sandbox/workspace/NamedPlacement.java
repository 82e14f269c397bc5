package io.zett.sandbox.workspace;

import static io.zett.sandbox.posix.Constants.AT_REMOVEDIR;
import static io.zett.sandbox.posix.Constants.LOCK_EX;
import static io.zett.sandbox.posix.Constants.LOCK_NB;
import static io.zett.sandbox.posix.Constants.O_CREAT;
import static io.zett.sandbox.posix.Constants.O_DIRECTORY;
import static io.zett.sandbox.posix.Constants.O_EXCL;
import static io.zett.sandbox.posix.Constants.O_NOFOLLOW;
import static io.zett.sandbox.posix.Constants.O_RDONLY;
import static io.zett.sandbox.posix.Constants.O_RDWR;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;

/**
 * Makes a directory, or a file where there is no {@code O_TMPFILE}, under another name and moves it
 * into place once it is tagged and locked.
 *
 * <p>Makers in one folder take turns (a lock on the folder), so whatever has the usual other name
 * is what a killed one has left. Who does not get his turn (a command may hold that lock as well)
 * takes a random name instead.
 */
final class NamedPlacement {

  private static final byte[] SELF = {'.'};

  private final Posix posix;
  private final TaggedPlaceholders tags;

  NamedPlacement(Posix posix, TaggedPlaceholders tags) {
    this.posix = posix;
    this.tags = tags;
  }

  Hold place(Slot slot) {
    int turn = posix.openat(slot.folder(), SELF, O_RDONLY | O_DIRECTORY, 0);
    try {
      byte[] usual = slot.passingName();
      boolean free = isMyTurn(turn) && isCleared(slot, usual);
      return place(slot, free ? usual : Removal.randomName(slot.posix(), usual));
    } catch (PosixException e) {
      if (e.errno() == Errno.EEXIST) {
        return new Hold.Contended();
      }
      throw e;
    } finally {
      posix.close(turn);
    }
  }

  private boolean isMyTurn(int folder) {
    try {
      return posix.flock(folder, LOCK_EX | LOCK_NB);
    } catch (PosixException e) {
      return false;
    }
  }

  /** A command may have planted something there: only what is empty is removed. */
  private boolean isCleared(Slot slot, byte[] name) {
    FileStatus status = posix.statat(slot.folder(), name, Constants.AT_SYMLINK_NOFOLLOW);
    if (status == null) {
      return true;
    }
    boolean empty = status.isDirectory() || (status.isRegular() && status.size() == 0);
    int flags = status.isDirectory() ? AT_REMOVEDIR : 0;
    return empty && OpenDirectory.unlink(posix, slot.folder(), name, flags) == 0;
  }

  private Hold place(Slot slot, byte[] name) {
    int fd = make(slot, name);
    Hold hold = new Hold.Contended();
    try {
      tags.prepare(fd, slot.directory() ? Slot.DIRECTORY_MODE : Slot.FILE_MODE);
      int flags = Constants.RENAME_NOREPLACE;
      posix.renameat2(slot.folder(), name, slot.folder(), slot.name(), flags);
      if (slot.holds(fd)) {
        hold = new Hold.Held(tags, fd);
      }
      return hold;
    } catch (PosixException e) {
      if (e.errno() == Errno.ENOENT) {
        return hold;
      }
      if (e.errno() == Errno.EINVAL) {
        throw new TaggedPlaceholders.UntaggableException(e);
      }
      throw e;
    } finally {
      if (!(hold instanceof Hold.Held)) {
        posix.close(fd);
        OpenDirectory.unlink(posix, slot.folder(), name, slot.directory() ? AT_REMOVEDIR : 0);
      }
    }
  }

  private int make(Slot slot, byte[] name) {
    if (!slot.directory()) {
      return posix.openat(slot.folder(), name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
    }
    posix.mkdirat(slot.folder(), name, 0700);
    return posix.openat(slot.folder(), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
  }
}
