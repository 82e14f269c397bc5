package io.zett.sandbox.backend.bubblewrap;

import io.zett.sandbox.host.HostView;
import io.zett.sandbox.posix.UnixPath;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Directories with so many sockets that they are hidden as a whole: each mask costs a start some 50
 * µs, bubblewrap takes no more than a few thousand, and anybody can make sockets in directories of
 * his own. The smallest such directories are chosen. Never one of the file system's first level,
 * the caller's home, or one that homes are in.
 */
final class CrowdedDirectories {
  /** So many sockets in a directory and below it are hidden one by one. */
  static final int MOST_SOCKETS = 64;

  private CrowdedDirectories() {}

  /** Those for some sockets. */
  static Set<UnixPath> of(HostView view, List<UnixPath> sockets) {
    if (sockets.size() <= MOST_SOCKETS) {
      return Set.of();
    }
    Set<UnixPath> kept = kept(view);
    TreeMap<Integer, Map<UnixPath, Integer>> byDepth = new TreeMap<>(Comparator.reverseOrder());
    sockets.forEach(socket -> count(byDepth, socket.parent(), 1));
    Set<UnixPath> crowded = new LinkedHashSet<>();
    while (!byDepth.isEmpty()) {
      byDepth
          .pollFirstEntry()
          .getValue()
          .forEach(
              (directory, count) -> {
                if (directory.depth() <= 1 || kept.contains(directory)) {
                  return; // So are those that it is in.
                }
                if (count > MOST_SOCKETS) {
                  crowded.add(directory);
                } else {
                  count(byDepth, directory.parent(), count);
                }
              });
    }
    return crowded;
  }

  private static void count(
      Map<Integer, Map<UnixPath, Integer>> byDepth, @Nullable UnixPath directory, int more) {
    if (directory != null) {
      byDepth
          .computeIfAbsent(directory.depth(), _ -> new HashMap<>())
          .merge(directory, more, Integer::sum);
    }
  }

  private static Set<UnixPath> kept(HostView view) {
    Set<UnixPath> kept = new HashSet<>();
    List<UnixPath> homes = new ArrayList<>(view.host().homes());
    UnixPath own = view.places().home().real();
    kept.add(own);
    homes.add(own);
    for (UnixPath home : homes) {
      for (UnixPath at = home.parent(); at != null && kept.add(at); at = at.parent()) {}
    }
    return kept;
  }
}
