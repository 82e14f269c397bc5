package io.zett.sandbox.workspace;

import static io.zett.sandbox.posix.Constants.AT_SYMLINK_NOFOLLOW;
import static io.zett.sandbox.posix.Constants.LOCK_EX;
import static io.zett.sandbox.posix.Constants.LOCK_NB;
import static io.zett.sandbox.posix.Constants.O_CREAT;
import static io.zett.sandbox.posix.Constants.O_DIRECTORY;
import static io.zett.sandbox.posix.Constants.O_EXCL;
import static io.zett.sandbox.posix.Constants.O_NOFOLLOW;
import static io.zett.sandbox.posix.Constants.O_NONBLOCK;
import static io.zett.sandbox.posix.Constants.O_RDONLY;
import static io.zett.sandbox.posix.Constants.O_RDWR;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.DirectoryEntry;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One process's hold on a private directory: the descriptors of the directory and of its locked
 * {@code lock} file.
 *
 * <p>Only the lock decides whether a directory is in use. Pids mean nothing where containers share
 * a temporary directory, and times mean nothing on a suspended machine; a lock vanishes with the
 * last process that has the descriptor, however it ended. A maker and a sweeper that meet at a
 * directory that is just being made both look again once they have the lock; the loser leaves.
 */
@SuppressWarnings("ArrayRecordComponent") // A name is bytes; claims are never compared.
record Claim(Posix posix, int parent, byte[] name, int directory, int lock) {

  static final byte[] LOCK = "lock".getBytes(StandardCharsets.US_ASCII);
  static final byte[] WORKSPACE = "workspace".getBytes(StandardCharsets.US_ASCII);
  static final byte[] RUN = "run".getBytes(StandardCharsets.US_ASCII);

  /**
   * Makes and claims a directory of this name; null if the name is taken or a sweeper was there.
   */
  static @Nullable Claim make(Posix posix, int parent, byte[] name) {
    try {
      posix.mkdirat(parent, name, 0700);
    } catch (PosixException e) {
      if (e.errno() == Errno.EEXIST) {
        return null;
      }
      throw e;
    }
    try {
      return claim(posix, parent, name, O_RDWR | O_CREAT | O_EXCL);
    } catch (PosixException e) {
      if (e.errno() == Errno.ENOENT) {
        return null;
      }
      byte[] lock =
          (new String(name, StandardCharsets.US_ASCII) + "/lock")
              .getBytes(StandardCharsets.US_ASCII);
      OpenDirectory.unlink(posix, parent, lock, 0);
      OpenDirectory.unlink(posix, parent, name, Constants.AT_REMOVEDIR);
      throw e;
    }
  }

  /**
   * Claims a directory whose owner is dead; null if it is in use, another's, or not one of these.
   */
  static @Nullable Claim takeOver(Posix posix, int parent, byte[] name) {
    FileStatus status = posix.statat(parent, name, AT_SYMLINK_NOFOLLOW);
    if (status == null
        || !status.isDirectory()
        || status.uid() != posix.geteuid()
        || (status.permissions() & 0777) != 0700) {
      return null;
    }
    try {
      Claim claim = claim(posix, parent, name, O_RDWR);
      if (claim != null && !claim.isPrivateDirectory()) {
        claim.release();
        return null;
      }
      return claim;
    } catch (PosixException e) {
      if (e.errno() == Errno.ENOENT) {
        // Its maker died before the lock was there, or is at that point: then it makes another.
        OpenDirectory.unlink(posix, parent, name, Constants.AT_REMOVEDIR);
      }
      return null;
    }
  }

  private static @Nullable Claim claim(Posix posix, int parent, byte[] name, int flags) {
    int directory = posix.openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
    int lock = -1;
    Claim claim = null;
    boolean making = (flags & O_CREAT) != 0;
    try {
      if (making) {
        // Whatever the umask, an inherited set-gid bit or a default ACL has made of it.
        posix.fchmod(directory, 0700);
      }
      lock = posix.openat(directory, LOCK, flags | O_NOFOLLOW | O_NONBLOCK, 0600);
      boolean locked = locked(posix, lock, making);
      if (locked
          && isNamed(posix, directory, LOCK, lock)
          && isNamed(posix, parent, name, directory)) {
        claim = new Claim(posix, parent, name, directory, lock);
      }
      return claim;
    } finally {
      if (claim == null) {
        posix.close(directory);
        if (lock >= 0) {
          posix.close(lock);
        }
      }
    }
  }

  /**
   * A file system without locks (some network and FUSE ones) can still hold a directory; nobody can
   * lock there, so nobody sweeps it either.
   */
  private static boolean locked(Posix posix, int lock, boolean making) {
    try {
      return posix.flock(lock, LOCK_EX | LOCK_NB);
    } catch (PosixException e) {
      e.throwIfShortage();
      return making;
    }
  }

  /** Whether the name still leads to what the descriptor has open. */
  static boolean isNamed(Posix posix, int directory, byte[] name, int fd) {
    FileStatus named = posix.statat(directory, name, AT_SYMLINK_NOFOLLOW);
    return named != null && named.isSameFile(posix.fstat(fd));
  }

  /** Nobody's own directory that happens to be called so is ever swept. */
  private boolean isPrivateDirectory() {
    FileStatus status = posix.fstat(lock);
    if (!status.isRegular() || status.nlink() != 1 || status.size() != 0) {
      return false;
    }
    byte[] self = {'.'};
    int listing = posix.openat(directory, self, O_RDONLY | O_DIRECTORY, 0);
    try {
      List<DirectoryEntry> entries = posix.getdents(listing);
      return entries.stream()
          .allMatch(entry -> List.of("lock", "workspace", "run").contains(entry.toString()));
    } finally {
      posix.close(listing);
    }
  }

  /**
   * Deletes the directory; the lock goes last, so that what is left is found by the next sweep.
   * Ends the claim.
   */
  Deletion delete(UnixPath path) {
    Deletion.Log log = new Deletion.Log();
    try {
      for (byte[] child : List.of(WORKSPACE, RUN)) {
        log.add(TreeDeletion.delete(posix, directory, child, path.resolve(child)));
      }
      if (log.isEmpty()) {
        // Nothing but the lock should be there; if the host left something, it goes as well.
        log.add(TreeDeletion.deleteContents(posix, directory, path));
      }
      if (log.isEmpty() && isNamed(posix, parent, name, directory)) {
        int errno = OpenDirectory.unlink(posix, parent, name, Constants.AT_REMOVEDIR);
        if (errno == 0) {
          log.removed();
        } else if (errno != Errno.ENOENT) {
          log.kept(path, errno);
        }
      }
    } catch (PosixException e) {
      log.kept(path, e.errno());
    } finally {
      release();
    }
    return log.end();
  }

  void release() {
    posix.close(lock);
    posix.close(directory);
  }
}
