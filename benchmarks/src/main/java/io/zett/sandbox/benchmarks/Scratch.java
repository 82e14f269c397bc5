package io.zett.sandbox.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A new folder on the disk, among temporary files unless told otherwise; closing removes it. */
final class Scratch implements AutoCloseable {
  private static final int IN_ONE_FOLDER = 1000;

  private final Path path;

  Scratch() throws IOException {
    path = Files.createTempDirectory("zett-bench-");
  }

  /** In a folder that commands in a sandbox can see. */
  Scratch(Settings settings) throws IOException {
    path = Files.createTempDirectory(settings.visible(), "zett-bench-");
  }

  Path path() {
    return path;
  }

  /** Makes this many empty files below a folder, a thousand in each of its folders. */
  static List<Path> fill(Path folder, int count) throws IOException {
    List<Path> files = new ArrayList<>(count);
    Path parent = folder;
    for (int i = 0; i < count; i++) {
      if (i % IN_ONE_FOLDER == 0) {
        parent = Files.createDirectory(folder.resolve("folder-" + i / IN_ONE_FOLDER));
      }
      files.add(Files.createFile(parent.resolve("file-" + i)));
    }
    return files;
  }

  /** As many names, of one empty file in each folder: five times as fast to make. */
  static void fillWithNames(Path folder, int count) throws IOException {
    Path file = folder;
    for (int i = 0; i < count; i++) {
      if (i % IN_ONE_FOLDER == 0) {
        Path parent = Files.createDirectory(folder.resolve("folder-" + i / IN_ONE_FOLDER));
        file = Files.createFile(parent.resolve("file-" + i));
      } else {
        Files.createLink(file.resolveSibling("file-" + i), file);
      }
    }
  }

  @Override
  public void close() throws IOException {
    Programs.run(List.of("rm", "-rf", path.toString()));
  }
}
