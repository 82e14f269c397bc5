package io.zett.sandbox.cases.outside;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The control groups of sessions, by their unpredictable names. */
public final class ControlGroups {
  private static final Pattern NAME = Pattern.compile("/(zett-[0-9a-f]+)(/|$)", Pattern.MULTILINE);
  private static final Path ROOT = Path.of("/sys/fs/cgroup");
  private static final int DEPTH = 6;

  private ControlGroups() {}

  /** Those that these processes are in; none where none can be made. */
  public static Set<String> of(Collection<Long> pids) throws IOException {
    Set<String> names = new TreeSet<>();
    for (long pid : pids) {
      Matcher matcher = NAME.matcher(Files.readString(Path.of("/proc/" + pid + "/cgroup")));
      while (matcher.find()) {
        names.add(matcher.group(1));
      }
    }
    return names;
  }

  /** Those of these names that exist. */
  public static Set<Path> existing(Set<String> names) throws IOException {
    Set<Path> found = new TreeSet<>();
    if (names.isEmpty()) {
      return found;
    }
    try (DirectoryStream<Path> trees = Files.newDirectoryStream(ROOT)) {
      for (Path tree : trees) {
        Files.walkFileTree(
            tree, EnumSet.noneOf(FileVisitOption.class), DEPTH, new Search(names, found));
      }
    }
    return found;
  }

  private static final class Search extends SimpleFileVisitor<Path> {
    private final Set<String> names;
    private final Set<Path> found;

    Search(Set<String> names, Set<Path> found) {
      this.names = names;
      this.found = found;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
      if (names.contains(directory.getFileName().toString())) {
        found.add(directory);
        return FileVisitResult.SKIP_SUBTREE;
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      return FileVisitResult.CONTINUE; // groups of others come and go
    }
  }
}
