package io.zett.sandbox.spark;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An installation of Spark as far as executors are started from it: this class path's jars. */
final class SparkHome {
  private SparkHome() {}

  /**
   * Links them into {@code home/jars}.
   *
   * @return the rest, which is folders of classes, as a class path
   */
  static String make(Path home) throws IOException {
    Path jars = Files.createDirectories(home.resolve("jars"));
    List<String> folders = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path path = Path.of(entry).toAbsolutePath();
      if (Files.isDirectory(path)) {
        folders.add(path.toString());
      } else if (!Files.exists(jars.resolve(path.getFileName()))) {
        Files.createSymbolicLink(jars.resolve(path.getFileName()), path);
      }
    }
    return String.join(File.pathSeparator, folders);
  }
}
