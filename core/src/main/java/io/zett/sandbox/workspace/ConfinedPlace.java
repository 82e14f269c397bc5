package io.zett.sandbox.workspace;

import static io.zett.sandbox.posix.Constants.AT_REMOVEDIR;
import static io.zett.sandbox.posix.Constants.AT_SYMLINK_NOFOLLOW;
import static io.zett.sandbox.posix.Constants.O_CREAT;
import static io.zett.sandbox.posix.Constants.O_EXCL;
import static io.zett.sandbox.posix.Constants.O_NOCTTY;
import static io.zett.sandbox.posix.Constants.O_NOFOLLOW;
import static io.zett.sandbox.posix.Constants.O_NONBLOCK;
import static io.zett.sandbox.posix.Constants.O_RDONLY;
import static io.zett.sandbox.posix.Constants.O_WRONLY;

import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** A name in a directory of a {@link ConfinedTree}, held open. For one thread. */
public final class ConfinedPlace implements AutoCloseable {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int OWNER_ONLY = 0600;

  private final Posix posix;
  private final int directory;
  private final byte[] name;
  private final int depth;
  private final ConfinedTree.Guard guard;

  /** Fills a new file. */
  public interface Filler {
    /**
     * @param fd the open file
     * @throws IOException if what it reads from fails
     */
    void fill(int fd) throws IOException;
  }

  ConfinedPlace(Posix posix, int directory, byte[] name, int depth, ConfinedTree.Guard guard) {
    this.posix = posix;
    this.directory = directory;
    this.name = name;
    this.depth = depth;
    this.guard = guard;
  }

  /** What is there, a link itself; null for nothing. */
  public @Nullable FileStatus status() {
    return posix.statat(directory, name, AT_SYMLINK_NOFOLLOW);
  }

  /**
   * Opens a regular file for reading, without waiting for anything; the caller closes it. The kind
   * is looked at before, since opening alone can do something to a device, and again afterwards.
   *
   * @throws ObstacleException if it is anything else
   * @throws PosixException if it is not there or cannot be opened
   */
  public int open() {
    FileStatus before = status();
    if (before != null) {
      checkRegular(before);
    }
    int fd;
    try {
      fd = posix.openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
    } catch (PosixException e) {
      throw ConfinedTree.explained(posix, directory, name, depth, e);
    }
    try {
      FileStatus opened = posix.fstat(fd);
      checkRegular(opened);
      guard.reached(depth, opened);
      return fd;
    } catch (RuntimeException | Error e) {
      posix.close(fd);
      throw e;
    }
  }

  private void checkRegular(FileStatus status) {
    if (!status.isRegular()) {
      throw new ObstacleException(depth, ObstacleException.Kind.of(status));
    }
  }

  /**
   * Puts a new file at this name, whole or not at all. What was there is replaced, never written
   * to: a FIFO, a link and a file with further names stay as they are elsewhere.
   *
   * @param mode the permission bits of the new file
   * @throws ObstacleException if a directory is there
   * @throws IOException from the filler
   */
  public void replace(int mode, Filler filler) throws IOException {
    FileStatus before = status();
    if (before != null) {
      if (before.isDirectory()) {
        throw new ObstacleException(depth, ObstacleException.Kind.DIRECTORY);
      }
      guard.reached(depth, before);
    }
    byte[] temporary = temporaryName();
    int fd =
        posix.openat(directory, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, OWNER_ONLY);
    boolean done = false;
    try {
      filler.fill(fd);
      posix.fchmod(fd, mode);
      rename(temporary);
      done = true;
    } finally {
      posix.close(fd);
      if (!done) {
        OpenDirectory.unlink(posix, directory, temporary, 0);
      }
    }
  }

  private void rename(byte[] temporary) {
    try {
      posix.renameat2(directory, temporary, directory, name, 0);
    } catch (PosixException e) {
      throw e.errno() == Errno.ENOENT
          ? e
          : ConfinedTree.explained(posix, directory, name, depth, e);
    }
  }

  private static byte[] temporaryName() {
    byte[] number = new byte[8];
    RANDOM.nextBytes(number);
    return (".zett-new-" + HexFormat.of().formatHex(number)).getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Removes a file, a link itself, or an empty directory.
   *
   * @throws PosixException if nothing is there or it cannot be removed
   */
  public void remove() {
    FileStatus status = status();
    if (status != null) {
      guard.reached(depth, status);
    }
    posix.unlinkat(directory, name, status != null && status.isDirectory() ? AT_REMOVEDIR : 0);
  }

  @Override
  public void close() {
    posix.close(directory);
  }
}
