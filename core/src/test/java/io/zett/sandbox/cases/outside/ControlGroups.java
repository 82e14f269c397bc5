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
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The control groups of sessions, by their unpredictable names. */
public final class ControlGroups {
  private static final Pattern NAME = Pattern.compile("/(zett-[0-9a-f]+)(/|$)", Pattern.MULTILINE);
  private static final Path ROOT = Path.of("/sys/fs/cgroup");
  private static final int DEPTH = 6;

  private ControlGroups() {}

  /** Those that these processes are in, if they live; none where none can be made. */
  public static Set<String> of(Collection<Long> pids) {
    Set<String> names = new TreeSet<>();
    for (long pid : pids) {
      Matcher matcher = NAME.matcher(groups(pid));
      while (matcher.find()) {
        names.add(matcher.group(1));
      }
    }
    return names;
  }

  private static String groups(long pid) {
    try {
      return Files.readString(Path.of("/proc/" + pid + "/cgroup"));
    } catch (IOException e) {
      return ""; // gone
    }
  }

  /**
   * Those that this process holds, by the locks that say that their owner lives: also those in
   * which nothing runs right now.
   */
  public static Set<String> heldBy(long pid) throws IOException {
    Set<String> locked = new TreeSet<>();
    for (String line : Files.readAllLines(Path.of("/proc/locks"))) {
      String[] fields = line.split(" +"); // number, kind, mode, access, pid, device and inode
      if (fields[1].equals("FLOCK") && fields[4].equals(Long.toString(pid))) {
        locked.add(fields[5]);
      }
    }
    Set<String> names = new TreeSet<>();
    if (!locked.isEmpty()) {
      for (Path group : all(name -> name.startsWith("zett-"))) {
        if (locked.contains(identity(group))) {
          names.add(group.getFileName().toString());
        }
      }
    }
    return names;
  }

  /** As /proc/locks has it; empty if it is gone. */
  private static String identity(Path group) {
    try {
      Map<String, Object> status = Files.readAttributes(group, "unix:dev,ino");
      long device = (Long) status.get("dev");
      long inode = (Long) status.get("ino");
      return "%02x:%02x:%d".formatted(device >> 8 & 0xfff, device & 0xff, inode);
    } catch (IOException e) {
      return "";
    }
  }

  /** Those of these names that exist. */
  public static Set<Path> existing(Set<String> names) throws IOException {
    return names.isEmpty() ? Set.of() : all(names::contains);
  }

  private static Set<Path> all(Predicate<String> wanted) throws IOException {
    Set<Path> found = new TreeSet<>();
    if (!Files.isDirectory(ROOT)) {
      return found;
    }
    try (DirectoryStream<Path> trees = Files.newDirectoryStream(ROOT)) {
      for (Path tree : trees) {
        Files.walkFileTree(
            tree, EnumSet.noneOf(FileVisitOption.class), DEPTH, new Search(wanted, found));
      }
    }
    return found;
  }

  private static final class Search extends SimpleFileVisitor<Path> {
    private final Predicate<String> wanted;
    private final Set<Path> found;

    Search(Predicate<String> wanted, Set<Path> found) {
      this.wanted = wanted;
      this.found = found;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
      if (wanted.test(directory.getFileName().toString())) {
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
