package io.zett.sandbox.portable;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Finds the program of a command on Windows, in its own {@code PATH}. {@code CreateProcess} would
 * look beside {@code java.exe} and in this process's directory first, which no user expects.
 */
public final class ProgramSearch {
  /**
   * What {@code CreateProcess} can start; other entries of {@code PATHEXT} need another program.
   */
  private static final List<String> STARTED = List.of(".com", ".exe", ".bat", ".cmd");

  private final List<Path> directories = new ArrayList<>();
  private final List<String> extensions = new ArrayList<>();

  /**
   * A search.
   *
   * @param path the value of {@code PATH}; entries that are not absolute are left out
   * @param extensions the value of {@code PATHEXT}
   */
  public ProgramSearch(String path, String extensions) {
    for (String entry : path.split(File.pathSeparator, -1)) {
      directory(entry.replace("\"", "").strip()).ifPresent(directories::add);
    }
    for (String entry : extensions.split(";", -1)) {
      String extension = entry.strip().toLowerCase(Locale.ROOT);
      if (STARTED.contains(extension) && !this.extensions.contains(extension)) {
        this.extensions.add(extension);
      }
    }
    if (this.extensions.isEmpty()) {
      this.extensions.addAll(STARTED);
    }
  }

  private static Optional<Path> directory(String entry) {
    try {
      return Optional.of(Path.of(entry)).filter(Path::isAbsolute);
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  /**
   * The file of a program.
   *
   * @param program a name, or a path that begins in the working directory
   */
  public Optional<Path> find(String program, Path workingDirectory) {
    try {
      if (isStream(program) || program.isEmpty()) {
        return Optional.empty();
      }
      if (program.indexOf('/') >= 0
          || program.indexOf(File.separatorChar) >= 0
          || isDrive(program)) {
        return inPlace(workingDirectory.resolve(program).normalize());
      }
      for (Path directory : directories) {
        Optional<Path> found = inPlace(directory.resolve(program));
        if (found.isPresent()) {
          return found;
        }
      }
    } catch (InvalidPathException e) {
      // No file can have that name.
    }
    return Optional.empty();
  }

  private static boolean isDrive(String program) {
    return program.length() > 1 && program.charAt(1) == ':';
  }

  /** {@code NAME:STREAM} is the same file under a name with another ending. */
  private static boolean isStream(String program) {
    return program.indexOf(':', isDrive(program) ? 2 : 0) >= 0;
  }

  private Optional<Path> inPlace(Path path) {
    Path name = path.getFileName();
    if (name == null) {
      return Optional.empty();
    }
    String text = name.toString().toLowerCase(Locale.ROOT);
    List<Path> candidates = new ArrayList<>();
    if (STARTED.stream().anyMatch(text::endsWith)) {
      candidates.add(path);
    }
    extensions.forEach(extension -> candidates.add(path.resolveSibling(name + extension)));
    candidates.add(path);
    return candidates.stream().filter(Files::isRegularFile).findFirst();
  }
}
