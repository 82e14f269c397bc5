package io.zett.sandbox.portable;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.DosFileAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Deletes a tree without following a link. On Windows a junction counts as a directory for most of
 * the JDK, and its target would be emptied; here only what is nothing but a directory is entered.
 * What cannot be deleted at once is tried again for a while: a virus scanner, an indexer or a
 * process that is just ending may hold it.
 */
final class TreeRemoval {
  private static final int ATTEMPTS = 8;
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private TreeRemoval() {}

  /** Whether nothing is left. */
  static boolean remove(Path tree) {
    long pause = FIRST_PAUSE_NANOS;
    for (int attempt = 1; ; attempt++) {
      if (removeOnce(tree)) {
        return true;
      }
      if (attempt == ATTEMPTS) {
        return false;
      }
      Uninterrupted.pause(pause);
      pause *= 2;
    }
  }

  private static boolean removeOnce(Path path) {
    try {
      BasicFileAttributes what =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      boolean enter = what.isDirectory() && !what.isOther() && !what.isSymbolicLink();
      boolean complete = !enter || empty(path);
      if (complete) {
        delete(path, enter);
      }
      return complete;
    } catch (NoSuchFileException e) {
      return true;
    } catch (IOException | SecurityException e) {
      return false;
    }
  }

  /** Goes on after a failure, so that as little as possible is left. */
  private static boolean empty(Path directory) throws IOException {
    open(directory);
    boolean complete = true;
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        complete &= removeOnce(entry);
      }
    }
    return complete;
  }

  /** Gives us back a directory from which a command took our permissions. */
  private static void open(Path directory) throws IOException {
    PosixFileAttributeView view =
        Files.getFileAttributeView(
            directory, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    if (view == null) {
      return;
    }
    Set<PosixFilePermission> ours =
        EnumSet.of(
            PosixFilePermission.OWNER_READ,
            PosixFilePermission.OWNER_WRITE,
            PosixFilePermission.OWNER_EXECUTE);
    if (!view.readAttributes().permissions().containsAll(ours)) {
      view.setPermissions(ours);
    }
  }

  private static void delete(Path path, boolean directory) throws IOException {
    try {
      Files.delete(path);
    } catch (NoSuchFileException e) {
      return;
    } catch (IOException e) {
      DosFileAttributeView view =
          Files.getFileAttributeView(path, DosFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
      if (view == null || directory) {
        throw e;
      }
      view.setReadOnly(false); // Windows refuses to delete such a file.
      Files.delete(path);
    }
  }
}
