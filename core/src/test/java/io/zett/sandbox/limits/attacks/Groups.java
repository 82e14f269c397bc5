package io.zett.sandbox.limits.attacks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.TreeMap;

/** The control groups of this machine. */
final class Groups {
  private static final Path TREES = Path.of("/sys/fs/cgroup");
  private static final String PREFIX = "zett-";

  private Groups() {}

  /** What every group of version 2 that is no session's offers to its children. */
  static Map<Path, String> offers() {
    Map<Path, String> found = new TreeMap<>();
    visit(
        directory -> {
          Path file = directory.resolve("cgroup.subtree_control");
          if (Files.isReadable(file) && !directory.toString().contains("/" + PREFIX)) {
            found.put(file, read(file));
          }
        });
    return found;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return "gone";
    }
  }

  private interface Visit {
    void to(Path directory);
  }

  private static void visit(Visit visit) {
    try {
      Files.walkFileTree(
          TREES,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes all) {
              visit.to(directory);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
              return FileVisitResult.CONTINUE; // groups of others come and go
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, IOException e) {
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
