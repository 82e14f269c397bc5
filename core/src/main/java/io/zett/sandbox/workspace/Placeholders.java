package io.zett.sandbox.workspace;

import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Puts something at a denied path that does not exist yet, so that a sandbox has something to mask
 * there, and takes it away afterwards.
 *
 * <p>A placeholder is an empty file of mode 0444 or an empty directory of mode 0555. Any number of
 * sessions and processes can hold the same one; the last takes it away. What a killed process has
 * left is found by the next one that asks for the same path. Nothing real is ever replaced or
 * deleted, whatever the host does to the path meanwhile. Thread-safe.
 *
 * <p>A placeholder looks like an existing file to whoever does not ask: an existing denied path for
 * which {@link #isPlaceholder} holds must be acquired, too, or it may vanish under its mask.
 */
public final class Placeholders {

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  private final Posix posix;
  private final TaggedPlaceholders tagged;
  private final RegisteredPlaceholders registered;
  private final long patienceNanos;

  /**
   * Needs nothing on the disk yet.
   *
   * @param locks a folder of this user that outlives the session, the same in all processes; made
   *     when a file system needs it that cannot tag files
   */
  public Placeholders(Posix posix, UnixPath locks) {
    this(posix, locks, PATIENCE_NANOS);
  }

  Placeholders(Posix posix, UnixPath locks, long patienceNanos) {
    this.posix = posix;
    this.patienceNanos = patienceNanos;
    this.tagged = new TaggedPlaceholders(posix);
    this.registered = new RegisteredPlaceholders(posix, locks);
  }

  /** Whether a path, which holds no links, leads to a placeholder now, held or left over. */
  public boolean isPlaceholder(UnixPath path) {
    FileStatus status = posix.lstat(path);
    UnixPath parent = path.parent();
    if (status == null || parent == null || !Slot.isPlausible(status)) {
      return false;
    }
    int folder = Folders.open(posix, parent);
    try {
      Slot slot = new Slot(posix, folder, path.name(), path, status.isDirectory());
      return tagged.recognizes(slot, status) || registered.recognizes(slot, status);
    } finally {
      posix.close(folder);
    }
  }

  /**
   * Holds the placeholder of a path, and makes it if need be.
   *
   * @param firstMissing a path without links whose parent exists; if the parent is itself a
   *     placeholder, that one is held
   * @param directory whether the denied path goes on below, or must be a directory ({@code .git})
   * @return empty if something real is there: it is masked like any other path
   * @throws PosixException if nothing can be made there: {@code EROFS} and {@code EACCES} (nobody
   *     of this user can make it either, unless he owns the folder), {@code ENOENT} (the folder is
   *     gone), {@code ELOOP} or {@code ENOTDIR} (a link is in the way), {@code EAGAIN} (others have
   *     kept it locked for five seconds)
   */
  public Optional<Placeholder> acquire(UnixPath firstMissing, boolean directory) {
    UnixPath parent = firstMissing.parent();
    if (parent == null) {
      throw new IllegalArgumentException("the root directory exists");
    }
    if (isPlaceholder(parent)) {
      Optional<Placeholder> above = acquire(parent, true);
      if (above.isPresent()) {
        return above;
      }
    }
    int folder = Folders.open(posix, parent);
    Slot slot = new Slot(posix, folder, firstMissing.name(), firstMissing, directory);
    Placeholder placeholder = null;
    try {
      if (await(slot) instanceof Hold.Held held) {
        placeholder = new Placeholder(slot, held);
      }
      return Optional.ofNullable(placeholder);
    } finally {
      if (placeholder == null) {
        posix.close(folder);
      }
    }
  }

  /**
   * Holds the file that bubblewrap has made where a denied file was, if it has: an empty one of
   * mode 0444 that is younger than a look at the path. An empty directory that it has made stays:
   * it looks like any that the host has just made.
   *
   * @param path a path without links
   * @param before what the look found there
   * @param sinceNanos when the look began, nanoseconds since 1970
   * @return empty if something else is there, or nothing, or if the file system cannot tag it
   */
  public Optional<Placeholder> takeOver(UnixPath path, FileStatus before, long sinceNanos) {
    UnixPath parent = path.parent();
    FileStatus now = posix.lstat(path);
    if (now == null || parent == null || !isMadeByLauncher(now, before, sinceNanos)) {
      return Optional.empty();
    }
    int folder = Folders.open(posix, parent);
    Placeholder placeholder = null;
    try {
      Slot slot = new Slot(posix, folder, path.name(), path, false);
      if (tagged.takeOver(slot, now) instanceof Hold.Held held) {
        placeholder = new Placeholder(slot, held);
      }
    } catch (TaggedPlaceholders.UntaggableException e) {
      // It stays, as an empty file.
    } finally {
      if (placeholder == null) {
        posix.close(folder);
      }
    }
    return Optional.ofNullable(placeholder);
  }

  private boolean isMadeByLauncher(FileStatus now, FileStatus before, long sinceNanos) {
    boolean unchanged =
        now.isSameFile(before)
            && now.mode() == before.mode()
            && now.mtimeNanos() == before.mtimeNanos();
    return !unchanged
        && now.isRegular()
        && Slot.isPlausible(now)
        && now.nlink() == 1
        && now.uid() == posix.geteuid()
        && now.mtimeNanos() >= sinceNanos;
  }

  private Hold await(Slot slot) {
    long deadline = System.nanoTime() + patienceNanos;
    while (true) {
      Hold hold = attempt(slot);
      if (!(hold instanceof Hold.Contended)) {
        return hold;
      }
      if (System.nanoTime() - deadline > 0) {
        throw new PosixException(Errno.EAGAIN, "flock", slot.path().toString());
      }
      // A lock can be waited for only without a time limit, and a command may hold it for ever.
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private Hold attempt(Slot slot) {
    Hold hold;
    try {
      hold = tagged.attempt(slot);
    } catch (TaggedPlaceholders.UntaggableException e) {
      return registered.attempt(slot);
    }
    if (hold instanceof Hold.Real) {
      FileStatus there = slot.status();
      if (there != null && Slot.isPlausible(there) && registered.recognizes(slot, there)) {
        return registered.attempt(slot);
      }
    }
    return hold;
  }
}
