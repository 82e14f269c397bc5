package io.zett.sandbox.workspace;

import static io.zett.sandbox.posix.Constants.O_DIRECTORY;
import static io.zett.sandbox.posix.Constants.O_RDONLY;

import io.zett.sandbox.posix.DirectoryEntry;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A directory of this process alone, mode 0700 and of an unpredictable name: {@code workspace} for
 * the commands, {@code run} for what the sandbox needs beside it, and {@code lock}, held until the
 * directory is deleted or the process is dead. Thread-safe.
 */
public final class PrivateDirectory {

  private static final int MOST_ATTEMPTS = 100;
  private static final int OTHERS_MAY_WRITE = 02;
  private static final int GROUP_MAY_WRITE = 020;
  private static final int STICKY = 01000;

  /** How root and everybody else outside looks in a user namespace (overflowuid). */
  private static final int UNMAPPED = 65534;

  private final Posix posix;
  private final UnixPath path;
  private final int parent;
  private final Claim claim;
  private @Nullable Deletion deletion;

  private PrivateDirectory(Posix posix, UnixPath path, int parent, Claim claim) {
    this.posix = posix;
    this.path = path;
    this.parent = parent;
    this.claim = claim;
  }

  /**
   * Makes one.
   *
   * @param parent an existing directory, such as {@code /tmp}; links in it are followed
   * @throws UnsafeParentException if other users could put theirs in the new one's place
   * @throws PosixException if it cannot be made there; nothing is left behind
   */
  public static PrivateDirectory create(Posix posix, UnixPath parent) {
    int fd = posix.open(parent, O_RDONLY | O_DIRECTORY, 0);
    try {
      checkParent(posix, posix.fstat(fd), parent);
      Claim claim = claim(posix, fd, parent);
      UnixPath path = realPath(posix, fd, parent).resolve(claim.name());
      try {
        makeFolder(posix, claim, Claim.WORKSPACE);
        makeFolder(posix, claim, Claim.RUN);
      } catch (PosixException e) {
        claim.delete(path);
        throw e;
      }
      PrivateDirectory made = new PrivateDirectory(posix, path, fd, claim);
      fd = -1;
      return made;
    } finally {
      if (fd >= 0) {
        posix.close(fd);
      }
    }
  }

  private static void checkParent(Posix posix, FileStatus parent, UnixPath path) {
    boolean sticky = (parent.mode() & STICKY) != 0;
    boolean others =
        (parent.mode() & OTHERS_MAY_WRITE) != 0
            || ((parent.mode() & GROUP_MAY_WRITE) != 0
                && parent.gid() != 0
                && parent.gid() != posix.getegid());
    if (others && !sticky) {
      throw new UnsafeParentException(
          path, "other users may rename what is in it: set its sticky bit (chmod +t)");
    }
    int owner = parent.uid();
    if (owner != 0 && owner != posix.geteuid() && owner != UNMAPPED) {
      throw new UnsafeParentException(
          path, "it belongs to user " + owner + ", who may rename what is in it");
    }
  }

  private static Claim claim(Posix posix, int parent, UnixPath path) {
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      Claim claim = Claim.make(posix, parent, PrivateNames.next(posix));
      if (claim != null) {
        return claim;
      }
    }
    throw new PosixException(Errno.EEXIST, "mkdirat", path.toString());
  }

  private static void makeFolder(Posix posix, Claim claim, byte[] name) {
    posix.mkdirat(claim.directory(), name, 0700);
    int fd = posix.openat(claim.directory(), name, O_RDONLY | O_DIRECTORY, 0);
    try {
      posix.fchmod(fd, 0700);
    } finally {
      posix.close(fd);
    }
  }

  /** Where the descriptor really is: a session's workspace has one name inside and outside. */
  private static UnixPath realPath(Posix posix, int fd, UnixPath given) {
    UnixPath link = UnixPath.ofText("/proc/self/fd/" + fd);
    try {
      UnixPath real = UnixPath.of(posix.readlink(link));
      FileStatus there = posix.lstat(real);
      return there != null && there.isSameFile(posix.fstat(fd)) ? real : given;
    } catch (PosixException | IllegalArgumentException e) {
      return given; // no /proc
    }
  }

  /** The directory itself; real and absolute. */
  public UnixPath path() {
    return path;
  }

  /** Where commands work. */
  public UnixPath workspace() {
    return path.resolve(Claim.WORKSPACE);
  }

  /** What the sandbox itself needs; commands do not see it. */
  public UnixPath run() {
    return path.resolve(Claim.RUN);
  }

  /**
   * Deletes the directory with all that is in it; nothing outside it is touched, whatever links and
   * mounts it holds. A second call returns the first one's result.
   */
  public synchronized Deletion delete() {
    if (deletion == null) {
      try {
        deletion = claim.delete(path);
      } finally {
        posix.close(parent);
      }
    }
    return deletion;
  }

  /**
   * Deletes the private directories of processes of this user that are dead, as far as possible.
   * Those in use, and whatever else is in {@code parent}, are left alone.
   *
   * @return the path of each one found, with how its deletion ended
   */
  public static List<Swept> sweep(Posix posix, UnixPath parent) {
    List<Swept> swept = new ArrayList<>();
    int fd = posix.open(parent, O_RDONLY | O_DIRECTORY, 0);
    try {
      for (byte[] name : candidates(posix, fd)) {
        try {
          Claim claim = Claim.takeOver(posix, fd, name);
          if (claim != null) {
            UnixPath path = parent.resolve(name);
            swept.add(new Swept(path, claim.delete(path)));
          }
        } catch (PosixException e) {
          // One that resists must not keep the others; the next sweep meets it again.
        }
      }
      return swept;
    } finally {
      posix.close(fd);
    }
  }

  private static List<byte[]> candidates(Posix posix, int parent) {
    List<byte[]> names = new ArrayList<>();
    for (DirectoryEntry entry : posix.entries(parent)) {
      if (PrivateNames.matches(entry.name())) {
        names.add(entry.name());
      }
    }
    return names;
  }

  /**
   * A directory that a sweep found.
   *
   * @param path where it was
   * @param deletion what became of it
   */
  public record Swept(UnixPath path, Deletion deletion) {

    @Override
    public String toString() {
      return path + (deletion.complete() ? " removed" : " left: " + deletion.remaining());
    }
  }

  @Override
  public String toString() {
    return new String(claim.name(), StandardCharsets.US_ASCII);
  }
}
