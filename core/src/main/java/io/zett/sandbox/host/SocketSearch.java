package io.zett.sandbox.host;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.DirectoryEntry;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Looks for files of sockets by their number, where nobody tells where they are.
 *
 * <p>First where a renamed directory on the way would have them. Then in directories, the likeliest
 * first and each before what is in it, until all are found or {@value #MOST_DIRECTORIES} have been
 * read. A rename never leaves a file system, so only those are entered that such a file is on.
 * Paths are Latin-1 text. Used once.
 */
final class SocketSearch {

  static final int MOST_DIRECTORIES = 4_000;

  /** So many entries of one directory are tried as another name for the one on the way. */
  private static final int MOST_SIBLINGS = 1_000;

  private final Posix posix;
  private final MountMap mounts;
  private final Set<Long> devices = new HashSet<>();
  private final Set<String> otherPoints;
  private final Map<FileId, Set<String>> found = new HashMap<>();
  private final Map<FileId, Long> missing = new HashMap<>();

  /**
   * A search for some files.
   *
   * @param wanted with how many names each has; -1 where that is not known
   */
  SocketSearch(Posix posix, MountMap mounts, Map<FileId, Long> wanted) {
    this.posix = posix;
    this.mounts = mounts;
    missing.putAll(wanted);
    wanted.keySet().forEach(file -> devices.add(file.device()));
    otherPoints = new HashSet<>(mounts.points(device -> !devices.contains(device)));
  }

  /** The names that were found so far. */
  Set<String> namesOf(FileId file) {
    return found.getOrDefault(file, Set.of());
  }

  /** Tries every other name for each single directory on the way of a real path, and its last. */
  void nextTo(FileId file, UnixPath path) {
    List<String> names = PathWalk.components(path.latin1());
    for (int at = names.size() - 1; at >= 0 && missing.containsKey(file); at--) {
      UnixPath directory = path(names.subList(0, at));
      List<String> rest = names.subList(at + 1, names.size());
      FileStatus status = posix.lstatIfAllowed(directory);
      if (status == null || !status.isDirectory()) {
        continue;
      }
      int[] tried = {0};
      posix.list(
          directory,
          entry -> {
            boolean fits = rest.isEmpty() ? mayBeSocket(entry) : mayBeDirectory(entry);
            if (fits && ++tried[0] <= MOST_SIBLINGS) {
              UnixPath child = directory.resolve(entry.name());
              for (String name : rest) {
                child = child.resolve(name.getBytes(ISO_8859_1));
              }
              look(child);
            }
          });
    }
  }

  /**
   * Reads directories and what is below them, breadth first, one of each start in turn: a wide tree
   * must not keep the search from the others.
   */
  void below(Collection<String> starts) {
    Set<String> known = new HashSet<>();
    Deque<Deque<String>> trees = new ArrayDeque<>();
    List<String> all = new ArrayList<>(starts);
    all.addAll(new TreeSet<>(mounts.points(devices::contains)));
    for (String start : all) {
      if (known.add(start) && isOnDevice(start)) {
        trees.add(new ArrayDeque<>(List.of(start)));
      }
    }
    for (int left = MOST_DIRECTORIES; left > 0 && !trees.isEmpty() && !missing.isEmpty(); left--) {
      Deque<String> tree = trees.removeFirst();
      read(tree.removeFirst(), tree, known);
      if (!tree.isEmpty()) {
        trees.addLast(tree);
      }
    }
  }

  private boolean isOnDevice(String directory) {
    MountMap.Inner inner = mounts.inner(directory);
    return inner != null && devices.contains(inner.device());
  }

  private void read(String directory, Deque<String> pending, Set<String> known) {
    UnixPath path = path(PathWalk.components(directory));
    posix.list(
        path,
        entry -> {
          if (mayBeSocket(entry)) {
            look(path.resolve(entry.name()));
          }
          if (entry.type() == Constants.DT_DIR) {
            String child = path.resolve(entry.name()).latin1();
            if (!otherPoints.contains(child) && known.add(child)) {
              pending.add(child);
            }
          }
        });
  }

  private void look(UnixPath path) {
    FileStatus status = posix.lstatIfAllowed(path);
    if (status == null || !status.isSocket()) {
      return;
    }
    @Nullable FileId file = null;
    for (FileId each : missing.keySet()) {
      if (each.is(status, mounts)) {
        file = each;
      }
    }
    if (file != null) {
      Set<String> names = found.computeIfAbsent(file, _ -> new HashSet<>());
      names.add(path.latin1());
      if (names.size() >= status.nlink()) {
        missing.remove(file);
      }
    }
  }

  private static boolean mayBeSocket(DirectoryEntry entry) {
    return entry.type() == Constants.DT_SOCK || entry.type() == Constants.DT_UNKNOWN;
  }

  private static boolean mayBeDirectory(DirectoryEntry entry) {
    return entry.type() == Constants.DT_DIR || entry.type() == Constants.DT_UNKNOWN;
  }

  private static UnixPath path(List<String> names) {
    UnixPath path = UnixPath.ROOT;
    for (String name : names) {
      path = path.resolve(name.getBytes(ISO_8859_1));
    }
    return path;
  }
}
