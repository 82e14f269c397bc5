package io.zett.sandbox.workspace;

import static io.zett.sandbox.posix.Constants.LOCK_EX;
import static io.zett.sandbox.posix.Constants.LOCK_NB;
import static io.zett.sandbox.posix.Constants.LOCK_SH;
import static io.zett.sandbox.posix.Constants.O_CREAT;
import static io.zett.sandbox.posix.Constants.O_EXCL;
import static io.zett.sandbox.posix.Constants.O_NOFOLLOW;
import static io.zett.sandbox.posix.Constants.O_NONBLOCK;
import static io.zett.sandbox.posix.Constants.O_RDONLY;
import static io.zett.sandbox.posix.Constants.O_RDWR;
import static io.zett.sandbox.posix.Constants.O_WRONLY;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Placeholders of file systems that cannot tag a file: a lock file for each, in a folder of the
 * user, says which inode is the placeholder, and is locked in its place.
 *
 * <p>Whoever sees the same files but not that folder (another container, another user) takes the
 * placeholder for an empty file.
 */
final class RegisteredPlaceholders implements PlaceholderScheme {

  /** Stands for "about to be made": from then on what looks like a placeholder is one. */
  private static final String PENDING = record(0, 0, 0);

  private final Posix posix;
  private final UnixPath locks;

  RegisteredPlaceholders(Posix posix, UnixPath locks) {
    this.posix = posix;
    this.locks = locks;
  }

  @Override
  public boolean recognizes(Slot slot, FileStatus status) {
    if (posix.lstat(locks) == null) {
      return false;
    }
    int folder = openLocks();
    try {
      int lock = posix.openat(folder, key(slot), O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
      try {
        return matches(readRecord(lock), status);
      } finally {
        posix.close(lock);
      }
    } catch (PosixException e) {
      if (e.errno() == Errno.ENOENT) {
        return false;
      }
      throw e;
    } finally {
      posix.close(folder);
    }
  }

  @Override
  public Hold attempt(Slot slot) {
    int folder = openLocks();
    int lock = -1;
    Hold hold = new Hold.Contended();
    try {
      lock = posix.openat(folder, key(slot), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0600);
      if (posix.flock(lock, LOCK_SH | LOCK_NB) && Claim.isNamed(posix, folder, key(slot), lock)) {
        hold = locked(slot, folder, lock);
      }
      return hold;
    } finally {
      if (lock >= 0 && !(hold instanceof Hold.Held)) {
        if (hold instanceof Hold.Real && posix.flock(lock, LOCK_EX | LOCK_NB)) {
          removeLock(slot, folder, lock);
        }
        posix.close(lock);
      }
      posix.close(folder);
    }
  }

  private Hold locked(Slot slot, int folder, int lock) {
    FileStatus there = slot.status();
    if (there == null) {
      writeRecord(slot, folder, PENDING);
      there = make(slot);
    } else if (!Slot.isPlausible(there) || !matches(readRecord(lock), there)) {
      return new Hold.Real();
    }
    if (there == null) {
      return new Hold.Contended();
    }
    writeRecord(slot, folder, recordOf(there));
    return new Hold.Held(this, lock);
  }

  /** Null if the name was taken meanwhile. */
  private @Nullable FileStatus make(Slot slot) {
    int fd;
    try {
      if (slot.directory()) {
        posix.mkdirat(slot.folder(), slot.name(), Slot.DIRECTORY_MODE);
        int flags = O_RDONLY | O_NOFOLLOW | Constants.O_DIRECTORY;
        fd = posix.openat(slot.folder(), slot.name(), flags, 0);
      } else {
        int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
        fd = posix.openat(slot.folder(), slot.name(), flags, Slot.FILE_MODE);
      }
    } catch (PosixException e) {
      if (e.errno() == Errno.EEXIST) {
        return null;
      }
      throw e;
    }
    try {
      posix.fchmod(fd, slot.directory() ? Slot.DIRECTORY_MODE : Slot.FILE_MODE);
      return posix.fstat(fd);
    } finally {
      posix.close(fd);
    }
  }

  @Override
  public boolean isIntact(Slot slot, int lock) {
    FileStatus there = slot.status();
    return there != null && matches(readRecord(lock), there);
  }

  @Override
  public void release(Slot slot, int lock) {
    if (!posix.flock(lock, LOCK_EX | LOCK_NB)) {
      return;
    }
    int folder = openLocks();
    try {
      FileStatus there = slot.status();
      if (there != null
          && matches(readRecord(slot, folder), there)
          && !Removal.isTakenAway(slot, there, this)) {
        makeWritable(slot, there);
      }
      removeLock(slot, folder, lock);
    } finally {
      posix.close(folder);
    }
  }

  /** The host has put something into it: it is the host's now. */
  private void makeWritable(Slot slot, FileStatus there) {
    int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
    int fd = posix.openat(slot.folder(), slot.name(), flags, 0);
    try {
      if (posix.fstat(fd).isSameFile(there)) {
        posix.fchmod(fd, there.permissions() | 0200);
      }
    } finally {
      posix.close(fd);
    }
  }

  private void removeLock(Slot slot, int folder, int lock) {
    if (Claim.isNamed(posix, folder, key(slot), lock)) {
      OpenDirectory.unlink(posix, folder, key(slot), 0);
    }
  }

  private int openLocks() {
    try {
      posix.mkdirat(Constants.AT_FDCWD, locks.bytes(), 0700);
    } catch (PosixException e) {
      if (e.errno() != Errno.EEXIST) {
        throw e;
      }
    }
    int fd = posix.open(locks, O_RDONLY | Constants.O_DIRECTORY | O_NOFOLLOW, 0);
    FileStatus status = posix.fstat(fd);
    if (status.uid() != posix.geteuid() || (status.mode() & 022) != 0) {
      posix.close(fd);
      throw new PosixException(Errno.EPERM, "open", locks + " (it belongs to somebody else)");
    }
    return fd;
  }

  private byte[] key(Slot slot) {
    FileStatus folder = posix.fstat(slot.folder());
    byte[] name = slot.name();
    ByteBuffer key = ByteBuffer.allocate(16 + name.length);
    key.putLong(folder.dev()).putLong(folder.ino()).put(name);
    String hex = HexFormat.of().formatHex(Arrays.copyOf(Slot.sha256(key.array()), 16));
    return hex.getBytes(StandardCharsets.US_ASCII);
  }

  /** Fixed width, so that one write replaces all of it. */
  private static String record(long dev, long ino, long mtime) {
    return "%016x %016x %016x\n".formatted(dev, ino, mtime);
  }

  private static String recordOf(FileStatus status) {
    // A directory's time changes with what is put into it; a file that has content is no
    // placeholder.
    long time = status.isDirectory() ? 0 : status.mtimeNanos();
    return record(status.dev(), status.ino(), time);
  }

  private static boolean matches(String record, FileStatus status) {
    return record.equals(recordOf(status)) || (record.equals(PENDING) && Slot.isPlausible(status));
  }

  private String readRecord(Slot slot, int folder) {
    int fd = posix.openat(folder, key(slot), O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
    try {
      return readRecord(fd);
    } finally {
      posix.close(fd);
    }
  }

  private String readRecord(int lock) {
    ByteBuffer bytes = ByteBuffer.allocate(PENDING.length());
    posix.pread(lock, bytes, 0);
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII);
  }

  private void writeRecord(Slot slot, int folder, String record) {
    int fd = posix.openat(folder, key(slot), O_WRONLY | O_NOFOLLOW | O_NONBLOCK, 0);
    try {
      posix.writeFully(fd, record.getBytes(StandardCharsets.US_ASCII));
    } finally {
      posix.close(fd);
    }
  }
}
