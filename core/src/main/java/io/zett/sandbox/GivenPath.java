package io.zett.sandbox;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/** A path as a caller gives it: checked without touching the disk, and made absolute. */
final class GivenPath {
  private static final Path THIS = Path.of(".");
  private static final Path PARENT = Path.of("..");

  private GivenPath() {}

  /**
   * Makes it absolute against the current directory of the caller. {@code .} components go; {@code
   * ..} stays, since after a link only the disk knows what it means.
   */
  static Path absolute(String option, Path path) {
    Path absolute = checked(option, path).toAbsolutePath();
    for (Path name : absolute) {
      if (name.equals(PARENT)) {
        return absolute;
      }
    }
    return absolute.normalize();
  }

  /** The same for each; a null element is refused. */
  static List<Path> absolute(String option, Collection<? extends Path> paths) {
    List<Path> absolute = new ArrayList<>(paths.size());
    for (Path path : paths) {
      if (path == null) {
        throw new IllegalArgumentException(option + ": a path is null");
      }
      absolute.add(absolute(option, path));
    }
    return absolute;
  }

  /** Refuses the root directory for an option that cannot mean it. */
  static Path notRoot(String option, Path absolute, String mend) {
    if (absolute.normalize().getNameCount() == 0) {
      throw new IllegalArgumentException(option + ": " + absolute + " is the whole disk; " + mend);
    }
    return absolute;
  }

  /** The path itself, if its form can be taken for what the caller meant. */
  static Path checked(String option, Path path) {
    if (!Objects.requireNonNull(path, option).getFileSystem().equals(FileSystems.getDefault())) {
      throw new IllegalArgumentException(
          option + ": " + path + " is no path of the machine's own file system");
    }
    if (path.toString().isEmpty()) {
      throw new IllegalArgumentException(
          option + ": the path is empty; for the current directory write Path.of(\".\")");
    }
    if (!path.isAbsolute() && path.getName(0).toString().startsWith("~")) {
      throw new IllegalArgumentException(
          option
              + ": "
              + path
              + " begins with \"~\", which only a shell expands; write"
              + " Path.of(System.getProperty(\"user.home\"), ...), or "
              + THIS.resolve(path)
              + " for a file of that name");
    }
    return path;
  }
}
