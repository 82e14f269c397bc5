package io.zett.sandbox.engine;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * A file of the host program's that is copied from or to. It must not be where commands write:
 * there, a link could lead the copy anywhere.
 */
final class HostFile {
  private final Path path;

  /** Writes the content. */
  interface Writer {
    void write(OutputStream target) throws IOException;
  }

  private HostFile(Path path) {
    this.path = path;
  }

  /**
   * A file to copy in; its own links are followed.
   *
   * @throws IllegalArgumentException if it is no regular file, or is where commands write
   */
  static HostFile source(Path given, Predicate<Path> outside) throws IOException {
    Path real = checked(given).toRealPath();
    refuseInside(given, outside.test(real) && outside.test(given.toAbsolutePath().normalize()));
    if (!Files.isRegularFile(real, LinkOption.NOFOLLOW_LINKS)) {
      throw new IllegalArgumentException(
          "host: " + given + " is no regular file; name one, or copy the files of a directory");
    }
    return new HostFile(real);
  }

  /**
   * A file to copy to, in an existing directory; replaced if it exists.
   *
   * @throws IllegalArgumentException if it is a directory, or is where commands write
   */
  static HostFile target(Path given, Predicate<Path> outside) throws IOException {
    Path absolute = checked(given).toAbsolutePath().normalize();
    Path parent = absolute.getParent();
    Path name = absolute.getFileName();
    if (parent == null || name == null || Files.isDirectory(absolute, LinkOption.NOFOLLOW_LINKS)) {
      throw new IllegalArgumentException("host: " + given + " is a directory; name a file in it");
    }
    if (!Files.isDirectory(parent)) {
      throw new NoSuchFileException(
          parent.toString(), null, "the directory to copy to does not exist; create it first");
    }
    Path real = parent.toRealPath().resolve(name);
    refuseInside(given, outside.test(real) && outside.test(absolute));
    return new HostFile(real);
  }

  private static Path checked(Path given) {
    if (!given.getFileSystem().equals(FileSystems.getDefault()) || given.toString().isEmpty()) {
      throw new IllegalArgumentException(
          "host: \"" + given + "\" is no path of the machine's own file system");
    }
    return given;
  }

  private static void refuseInside(Path given, boolean isOutside) {
    if (!isOutside) {
      throw new IllegalArgumentException(
          "host: "
              + given
              + " is where commands write, and they could lead the copy elsewhere; name a file"
              + " outside");
    }
  }

  InputStream open() throws IOException {
    return Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS);
  }

  boolean isExecutable() {
    return Files.isExecutable(path);
  }

  /** Puts a new file there, whole or not at all. */
  void replace(Writer writer) throws IOException {
    Path temporary = path.resolveSibling(".zett-copy-" + UUID.randomUUID());
    try {
      try (OutputStream target =
          Files.newOutputStream(
              temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        writer.write(target);
      }
      try {
        Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE);
      } catch (AtomicMoveNotSupportedException e) {
        Files.move(temporary, path, StandardCopyOption.REPLACE_EXISTING);
      }
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}
