package io.zett.sandbox.workspace;

import static io.zett.sandbox.posix.Constants.AT_SYMLINK_NOFOLLOW;
import static io.zett.sandbox.posix.Constants.O_DIRECTORY;
import static io.zett.sandbox.posix.Constants.O_NOFOLLOW;
import static io.zett.sandbox.posix.Constants.O_PATH;
import static io.zett.sandbox.posix.Constants.O_RDONLY;

import io.zett.sandbox.posix.DirectoryEntry;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Files below a directory that commands write while others use them.
 *
 * <p>Each component is opened by its own name in the directory before it, never through a link and
 * never through {@code ..}: whatever is exchanged meanwhile, what is reached was below the root.
 * {@code openat2(2)} would do it in one call, but not on kernels before 5.6, not through the
 * filters of some containers and not for paths beyond 4,096 bytes; one way serves all. Thread-safe.
 */
public final class ConfinedTree {
  private static final int STEP = O_PATH | O_DIRECTORY | O_NOFOLLOW;
  private static final int NEW_DIRECTORY = 0777; // less the umask
  private static final byte[] SELF = {'.'};

  private final Posix posix;
  private final UnixPath root;

  /** Told of each step, before anything below it is touched; throws to refuse it. */
  public interface Guard {
    /**
     * @param depth how many components lead there, itself included; 0 for the root
     * @param status what was opened
     */
    void reached(int depth, FileStatus status);

    /**
     * A directory that does not exist is about to be made.
     *
     * @param depth how many components lead there, itself included
     */
    void making(int depth);
  }

  /**
   * Looks at each entry of a directory.
   *
   * @see #list
   */
  public interface Visitor {
    /**
     * @param status what it is; null when it is gone already
     * @return whether to go on
     */
    boolean visit(DirectoryEntry entry, @Nullable FileStatus status);
  }

  /** The files below a directory whose path holds no links. */
  public ConfinedTree(Posix posix, UnixPath root) {
    this.posix = posix;
    this.root = root;
  }

  /**
   * The place of a file, whether there is one or not.
   *
   * @param names the components from the root, at least one
   * @param create whether directories that are missing are made
   * @throws ObstacleException if a component before the last is no directory
   * @throws PosixException if a component cannot be reached
   */
  public ConfinedPlace place(List<byte[]> names, boolean create, Guard guard) {
    int last = names.size() - 1;
    return new ConfinedPlace(
        posix, directory(names.subList(0, last), create, guard), names.get(last), last + 1, guard);
  }

  /**
   * Goes through the entries of a directory, in the order of the file system.
   *
   * @throws ObstacleException if a component is no directory
   * @throws PosixException if it cannot be reached or read
   */
  public void list(List<byte[]> names, Guard guard, Visitor visitor) {
    int handle = directory(names, false, guard);
    try {
      int fd = posix.openat(handle, SELF, O_RDONLY | O_DIRECTORY, 0);
      try {
        for (DirectoryEntry entry : posix.entries(fd)) {
          if (!visitor.visit(entry, posix.statat(fd, entry.name(), AT_SYMLINK_NOFOLLOW))) {
            return;
          }
        }
      } finally {
        posix.close(fd);
      }
    } finally {
      posix.close(handle);
    }
  }

  /** One descriptor is open at a time, however deep it goes. */
  private int directory(List<byte[]> names, boolean create, Guard guard) {
    int at = Folders.open(posix, root);
    try {
      guard.reached(0, posix.fstat(at));
      for (int depth = 1; depth <= names.size(); depth++) {
        int next = enter(at, names.get(depth - 1), depth, create, guard);
        posix.close(at);
        at = next;
        guard.reached(depth, posix.fstat(at));
      }
      return at;
    } catch (RuntimeException | Error e) {
      posix.close(at);
      throw e;
    }
  }

  private int enter(int parent, byte[] name, int depth, boolean create, Guard guard) {
    try {
      return posix.openat(parent, name, STEP, 0);
    } catch (PosixException e) {
      if (e.errno() == Errno.ENOENT && create) {
        return make(parent, name, depth, guard);
      }
      throw explained(posix, parent, name, depth, e);
    }
  }

  private int make(int parent, byte[] name, int depth, Guard guard) {
    guard.making(depth);
    try {
      posix.mkdirat(parent, name, NEW_DIRECTORY);
    } catch (PosixException e) {
      if (e.errno() != Errno.EEXIST) { // Another was faster; what it made is looked at.
        throw e;
      }
    }
    try {
      return posix.openat(parent, name, STEP, 0);
    } catch (PosixException e) {
      throw explained(posix, parent, name, depth, e);
    }
  }

  /** What stood there, as far as the kernel's answer says; else what does now, for people. */
  static RuntimeException explained(
      Posix posix, int parent, byte[] name, int depth, PosixException e) {
    ObstacleException.@Nullable Kind kind =
        switch (e.errno()) {
          case Errno.ELOOP -> ObstacleException.Kind.LINK;
          case Errno.EISDIR -> ObstacleException.Kind.DIRECTORY;
          case Errno.ENXIO -> ObstacleException.Kind.SPECIAL;
          case Errno.ENOTDIR -> {
            FileStatus now = posix.statat(parent, name, AT_SYMLINK_NOFOLLOW);
            yield now == null || now.isDirectory()
                ? ObstacleException.Kind.EXCHANGED
                : ObstacleException.Kind.of(now);
          }
          default -> null;
        };
    return kind == null ? e : new ObstacleException(depth, kind);
  }
}
