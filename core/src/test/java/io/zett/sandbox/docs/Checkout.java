package io.zett.sandbox.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The folder that the project lies in. */
final class Checkout {
  static final Path ROOT =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent().normalize();

  private Checkout() {}

  /** Whether a program is in PATH. */
  static boolean has(String program) {
    return Stream.of(System.getenv("PATH").split(":"))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  /** Copies a file, or a folder with all but what a build made. */
  static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files =
        Files.find(from, Integer.MAX_VALUE, (path, _) -> !isBuilt(from.relativize(path)))) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Path copy = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          Files.createDirectories(copy.getParent());
          Files.copy(file, copy);
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static boolean isBuilt(Path relative) {
    return relative.startsWith("target");
  }
}
