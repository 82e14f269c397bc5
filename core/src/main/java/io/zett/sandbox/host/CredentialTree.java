package io.zett.sandbox.host;

import io.zett.sandbox.posix.DiskCalls;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.rules.Credential;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The credential list as a tree of names, so that a look at a home directory costs one call for
 * each name in it that is there, not one for each entry of the list.
 *
 * <p>Which names a directory lacks is remembered for as long as its modification time stands still:
 * making an entry always changes that. It is not remembered for directories that commands may
 * write, who could set the time back. Thread-safe once built.
 */
final class CredentialTree {

  private final Map<String, CredentialTree> children = new TreeMap<>();
  private final List<Credential> patterns = new ArrayList<>();
  private boolean entry;
  private final Map<UnixPath, Remembered> memory = new ConcurrentHashMap<>();

  private record Remembered(FileStatus directory, List<String> present) {
    boolean holdsFor(FileStatus now) {
      return directory.isSameFile(now) && directory.mtimeNanos() == now.mtimeNanos();
    }
  }

  private CredentialTree() {}

  /** A tree of paths below one directory: the root for absolute ones, else a home. */
  static CredentialTree of(List<Credential> credentials) {
    CredentialTree tree = new CredentialTree();
    for (Credential credential : credentials) {
      byte[] utf8 = credential.path().getBytes(StandardCharsets.UTF_8);
      List<String> names = PathWalk.components(new String(utf8, StandardCharsets.ISO_8859_1));
      CredentialTree at = tree;
      for (String name : names.subList(0, names.size() - 1)) {
        at = at.children.computeIfAbsent(name, _ -> new CredentialTree());
      }
      if (credential.pattern()) {
        at.patterns.add(credential);
      } else {
        at.children.computeIfAbsent(names.getLast(), _ -> new CredentialTree()).entry = true;
      }
    }
    return tree;
  }

  /**
   * Hands on every credential that is below a directory, and those that a command could make there.
   *
   * @param directory its real path
   */
  void find(DiskCalls disk, PathWalk walk, UnixPath directory, Consumer<ViewedRuleAt> found) {
    PathWalk.Node at = walk.node(directory);
    if (at == null || !at.isDirectory()) {
      return;
    }
    if (at.writable) {
      everything(walk, directory, found);
      if (!patterns.isEmpty()) {
        walk.reliesOnMore(); // Commands could set the directory's time back.
      }
      for (String name : matching(disk, directory)) {
        emit(walk, directory, name, found);
      }
      return;
    }
    for (String name : present(disk, walk, at)) {
      ResolvedPath resolved = walk.resolve(below(directory, name));
      CredentialTree child = children.get(name);
      if (child == null || child.entry) {
        found.accept(new ViewedRuleAt(below(directory, name), resolved));
      }
      if (child != null && !child.isLeaf()) {
        if (resolved.isDirectory()) {
          child.find(disk, walk, resolved.real(), found);
        } else if (resolved.firstMissing() != null) {
          child.everything(walk, below(directory, name), found);
        }
      }
    }
  }

  /** A path of the list in one place, and where it leads. */
  record ViewedRuleAt(UnixPath given, ResolvedPath at) {}

  private boolean isLeaf() {
    return children.isEmpty() && patterns.isEmpty();
  }

  private void everything(PathWalk walk, UnixPath directory, Consumer<ViewedRuleAt> found) {
    children.forEach(
        (name, child) -> {
          if (child.entry) {
            emit(walk, directory, name, found);
          }
          child.everything(walk, below(directory, name), found);
        });
  }

  private static void emit(
      PathWalk walk, UnixPath directory, String name, Consumer<ViewedRuleAt> found) {
    UnixPath path = below(directory, name);
    found.accept(new ViewedRuleAt(path, walk.resolve(path)));
  }

  private List<String> present(DiskCalls disk, PathWalk walk, PathWalk.Node directory) {
    FileStatus now = Objects.requireNonNull(directory.status);
    Remembered remembered = memory.get(directory.path);
    if (remembered != null && remembered.holdsFor(now)) {
      walk.reliesOnTimeOf(directory);
      return remembered.present;
    }
    boolean settled =
        System.currentTimeMillis() * 1_000_000L - now.mtimeNanos() > PathWalk.SETTLED_NANOS;
    List<String> present = new ArrayList<>(matching(disk, directory.path));
    for (String name : children.keySet()) {
      if (walk.child(directory, name).status != null) {
        present.add(name);
      }
    }
    if (!patterns.isEmpty() && !settled) {
      walk.reliesOnMore();
    }
    if (settled) {
      walk.reliesOnTimeOf(directory);
      memory.put(directory.path, new Remembered(now, List.copyOf(present)));
    }
    return present;
  }

  private List<String> matching(DiskCalls disk, UnixPath directory) {
    if (patterns.isEmpty()) {
      return List.of();
    }
    List<String> names = new ArrayList<>();
    disk.list(
        directory,
        each -> {
          if (patterns.stream().anyMatch(pattern -> pattern.matches(each.name()))) {
            names.add(new String(each.name(), StandardCharsets.ISO_8859_1));
          }
        });
    return names;
  }

  private static UnixPath below(UnixPath directory, String name) {
    return directory.resolve(name.getBytes(StandardCharsets.ISO_8859_1));
  }
}
