package io.zett.sandbox.host;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.DirectoryEntry;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.rules.DeveloperFile;
import io.zett.sandbox.rules.DeveloperFile.Place;
import io.zett.sandbox.rules.DeveloperFiles;
import io.zett.sandbox.rules.PathRule.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where the files are that the host obeys by itself, in directories that commands may write.
 *
 * <p>Patterns are expanded once, when the sandbox is opened: a worktree or submodule that a command
 * makes is its own, and it may remove it again.
 */
final class DeveloperPaths {
  /** Beyond this, a directory full of worktrees would leave no room for other rules. */
  private static final int MOST_MATCHES = 500;

  private static final String WORKTREE = "worktrees/*/";

  private final Posix posix;
  private final Map<UnixPath, PolicyPaths.Given> found = new LinkedHashMap<>();

  private DeveloperPaths(Posix posix) {
    this.posix = posix;
  }

  /**
   * Finds them.
   *
   * @param roots real paths of the directories
   * @param homes home directories; those that are not at or below a root do not count
   */
  static List<PolicyPaths.Given> find(Posix posix, List<UnixPath> roots, List<UnixPath> homes) {
    DeveloperPaths paths = new DeveloperPaths(posix);
    for (UnixPath root : roots) {
      paths.addAll(root, Place.TOP, "");
      paths.addGit(root);
      if (paths.exists(root.resolve("HEAD"))) {
        paths.found.remove(root.resolve("HEAD")); // A git directory: git itself writes it.
      }
    }
    PathWalk walk = new PathWalk(posix, Set.of());
    for (UnixPath home : homes) {
      UnixPath real = walk.resolve(home).real();
      if (roots.stream().anyMatch(real::startsWith)) {
        paths.addAll(real, Place.HOME, "");
      }
    }
    return List.copyOf(paths.found.values());
  }

  private void addGit(UnixPath root) {
    addAll(root.resolve(".git"), Place.GIT, "");
    if (!exists(root.resolve("HEAD"))) {
      return;
    }
    if (exists(root.resolve("commondir"))) {
      addAll(root, Place.GIT, WORKTREE);
    } else if (exists(root.resolve("objects")) && exists(root.resolve("refs"))) {
      addAll(root, Place.GIT, "");
    }
  }

  /** Adds the entries of a place that begin with a prefix, without it. */
  private void addAll(UnixPath directory, Place place, String prefix) {
    for (DeveloperFile entry : DeveloperFiles.entries()) {
      if (entry.place() == place && entry.path().startsWith(prefix)) {
        add(directory, entry.path().substring(prefix.length()), entry.onlyExisting());
      }
    }
  }

  private void add(UnixPath directory, String path, boolean onlyExisting) {
    int star = path.indexOf("*/");
    if (star < 0) {
      UnixPath at = directory.resolve(path);
      PolicyPaths.Given given =
          new PolicyPaths.Given(
              at, PathWalk.components(at.latin1()), Kind.DEVELOPER_FILE, onlyExisting);
      found.merge(at, given, (before, now) -> before.onlyExisting() ? now : before);
      return;
    }
    UnixPath parent = star == 0 ? directory : directory.resolve(path.substring(0, star - 1));
    for (byte[] name : directoriesIn(parent)) {
      UnixPath child = parent.resolve(name);
      String rest = path.substring(star + 2);
      // A directory that holds a HEAD is a worktree's or submodule's: what is missing in it counts.
      boolean isGit = exists(child.resolve("HEAD"));
      if (rest.indexOf('*') >= 0 || isGit || exists(child.resolve(rest))) {
        add(child, rest, !isGit);
      }
    }
  }

  private List<byte[]> directoriesIn(UnixPath parent) {
    List<byte[]> names = new ArrayList<>();
    try {
      int fd = posix.open(parent, Constants.O_RDONLY | Constants.O_DIRECTORY, 0);
      try {
        for (DirectoryEntry entry : posix.entries(fd)) {
          if (names.size() == MOST_MATCHES) {
            break;
          }
          FileStatus status = status(parent.resolve(entry.name()));
          if (status != null && status.isDirectory()) {
            names.add(entry.name());
          }
        }
      } finally {
        posix.close(fd);
      }
    } catch (PosixException e) {
      return List.of(); // It is not there, or nobody can list it, git included.
    }
    return names;
  }

  private boolean exists(UnixPath path) {
    return status(path) != null;
  }

  private @Nullable FileStatus status(UnixPath path) {
    try {
      return posix.lstat(path);
    } catch (PosixException e) {
      return null;
    }
  }
}
