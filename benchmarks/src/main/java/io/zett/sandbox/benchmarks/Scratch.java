package io.zett.sandbox.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

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
    return inFolders(
        folder,
        count,
        (parent, numbers) -> {
          List<Path> files = new ArrayList<>(IN_ONE_FOLDER);
          for (int i : numbers.toArray()) {
            files.add(Files.createFile(parent.resolve("file-" + i)));
          }
          return files;
        });
  }

  /** So many names of empty files, each of which has several: a file takes longer than a name. */
  static void fillWithNames(Path folder, int count, int namesOfEach) throws IOException {
    inFolders(
        folder,
        count,
        (parent, numbers) -> {
          Path file = parent;
          for (int i : numbers.toArray()) {
            Path name = parent.resolve("file-" + i);
            if (i % namesOfEach == 0) {
              file = Files.createFile(name);
            } else {
              Files.createLink(name, file);
            }
          }
          return List.of();
        });
  }

  /** Fills one folder. */
  @FunctionalInterface
  private interface Filler {
    List<Path> fill(Path folder, IntStream numbers) throws IOException;
  }

  /** Several folders at once, since it takes a while. */
  private static List<Path> inFolders(Path folder, int count, Filler filler) throws IOException {
    try {
      return IntStream.range(0, (count + IN_ONE_FOLDER - 1) / IN_ONE_FOLDER)
          .parallel()
          .mapToObj(each -> fillOne(folder.resolve("folder-" + each), each, count, filler))
          .flatMap(List::stream)
          .toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static List<Path> fillOne(Path folder, int number, int count, Filler filler) {
    int first = number * IN_ONE_FOLDER;
    try {
      Files.createDirectory(folder);
      return filler.fill(folder, IntStream.range(first, Math.min(count, first + IN_ONE_FOLDER)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    Programs.run(List.of("rm", "-rf", path.toString()));
  }
}
