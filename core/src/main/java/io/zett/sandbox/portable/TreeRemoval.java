package io.zett.sandbox.portable;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.DosFileAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Deletes a tree without following a link. On a Unix each directory is opened in the one before it,
 * so that nobody can exchange one for a link meanwhile. On Windows a junction counts as a directory
 * for most of the JDK, and its target would be emptied; here only what is nothing but a directory
 * is entered. What cannot be deleted at once is tried again for a while: a virus scanner, an
 * indexer or a process that is just ending may hold it.
 */
final class TreeRemoval {
  private static final int ATTEMPTS = 8;
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final Set<PosixFilePermission> OURS = PosixFilePermissions.fromString("rwx------");

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

  private static boolean removeOnce(Path tree) {
    Path parent = tree.getParent();
    Path name = tree.getFileName();
    if (parent == null || name == null) {
      return false;
    }
    try (DirectoryStream<Path> around = Files.newDirectoryStream(parent)) {
      return around instanceof SecureDirectoryStream<Path> secure
          ? removeIn(secure, name, tree)
          : removeByPath(tree);
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  /** Goes on after a failure, so that as little as possible is left. */
  private static boolean removeIn(SecureDirectoryStream<Path> parent, Path name, Path path) {
    try {
      if (!parent
          .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
          .readAttributes()
          .isDirectory()) {
        parent.deleteFile(name);
        return true;
      }
      open(parent, name, path);
      boolean complete = true;
      try (SecureDirectoryStream<Path> entries =
          parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
        for (Path entry : entries) {
          complete &= removeIn(entries, entry.getFileName(), path.resolve(entry.getFileName()));
        }
      }
      if (complete) {
        parent.deleteDirectory(name);
      }
      return complete;
    } catch (NoSuchFileException e) {
      return true;
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  /**
   * Gives us back a directory from which a command took our permissions. By its path, since to open
   * it takes them: whoever exchanges it for a link closes to others what that leads to.
   */
  private static void open(SecureDirectoryStream<Path> parent, Path name, Path path)
      throws IOException {
    PosixFileAttributeView view =
        parent.getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    if (view != null && !view.readAttributes().permissions().containsAll(OURS)) {
      Files.setPosixFilePermissions(path, OURS);
    }
  }

  private static boolean removeByPath(Path path) {
    try {
      BasicFileAttributes what =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      boolean enter = what.isDirectory() && !what.isOther() && !what.isSymbolicLink();
      boolean complete = true;
      if (enter) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
          for (Path entry : entries) {
            complete &= removeByPath(entry);
          }
        }
      }
      if (complete) {
        delete(path, enter);
      }
      return complete;
    } catch (NoSuchFileException e) {
      return true;
    } catch (IOException | RuntimeException e) {
      return false;
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
