package io.zett.sandbox.portable;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A directory of one session with what it holds, and a file beside it that is locked for as long as
 * the session lives: what a dead process left is swept by the next one. Thread-safe.
 */
public final class PrivateTree implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("io.zett.sandbox");
  private static final String PREFIX = "zett-session-";
  private static final String LOCK_SUFFIX = ".lock";

  // On Unix a process loses its lock on a file when it closes that file, however it opened it: so
  // this process's own are told by their names.
  private static final long PID = ProcessHandle.current().pid();

  private final Path directory;
  private final Path lockFile;
  private final FileChannel lock;
  private boolean closed;

  private PrivateTree(Path directory, Path lockFile, FileChannel lock) {
    this.directory = directory;
    this.lockFile = lockFile;
    this.lock = lock;
  }

  /**
   * Makes one that only this user may enter.
   *
   * @param parent an existing directory
   */
  public static PrivateTree create(Path parent) throws IOException {
    Path real = parent.toRealPath();
    String name = PREFIX + UUID.randomUUID().toString().substring(24);
    Path lockFile = real.resolve(name + "." + PID + LOCK_SUFFIX);
    FileChannel lock =
        FileChannel.open(lockFile, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try {
      lock.lock();
      return new PrivateTree(makeDirectory(real.resolve(name)), lockFile, lock);
    } catch (IOException | RuntimeException e) {
      lock.close();
      Files.deleteIfExists(lockFile);
      throw e;
    }
  }

  /** Makes a directory in it that only this user may enter. */
  public Path make(String name) throws IOException {
    return makeDirectory(directory.resolve(name));
  }

  /** On Windows, the temporary directory is the user's own already. */
  private static Path makeDirectory(Path path) throws IOException {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? Files.createDirectory(
            path,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")))
        : Files.createDirectory(path);
  }

  /** Where it is; a real path. */
  public Path directory() {
    return directory;
  }

  /** Deletes what dead processes of this user have left beside it, as far as that is possible. */
  public void sweep() {
    Path parent = Objects.requireNonNull(directory.getParent());
    try (DirectoryStream<Path> locks =
        Files.newDirectoryStream(parent, PREFIX + "*" + LOCK_SUFFIX)) {
      for (Path each : locks) {
        if (!each.toString().endsWith("." + PID + LOCK_SUFFIX)
            && owner(each).equals(owner(lockFile))) {
          sweepOne(parent, each);
        }
      }
    } catch (IOException | RuntimeException e) {
      // Not readable, or gone meanwhile: there is nothing to sweep.
    }
  }

  private static UserPrincipal owner(Path path) throws IOException {
    return Files.getOwner(path, LinkOption.NOFOLLOW_LINKS);
  }

  private static void sweepOne(Path parent, Path lockFile) throws IOException {
    try (FileChannel channel =
        FileChannel.open(lockFile, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      FileLock held = tryLock(channel);
      if (held == null) {
        return;
      }
      String file = lockFile.getFileName().toString();
      String name = file.substring(0, file.indexOf('.'));
      Path left = parent.resolve(name);
      boolean isOurs =
          Files.notExists(left, LinkOption.NOFOLLOW_LINKS) || owner(left).equals(owner(lockFile));
      if (!isOurs || !TreeRemoval.remove(left)) {
        return;
      }
    } catch (IOException e) {
      return; // Another user's, or being swept by somebody else.
    }
    Files.deleteIfExists(lockFile);
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // A session of this JVM.
    }
  }

  /** Deletes it with all that is in it; twice is harmless. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (!TreeRemoval.remove(directory)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "not everything of a closed sandbox could be removed: {0}",
          directory);
    }
    try {
      lock.close();
      Files.deleteIfExists(lockFile);
    } catch (IOException e) {
      // The next sweep deletes it.
    }
  }
}
