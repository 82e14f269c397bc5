package io.zett.sandbox.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The contract's rule in its plainest form: on each of the two questions the longest path wins, and
 * on equal paths a denial. It knows nothing of the library.
 *
 * <p>A denial follows links. What is given follows those that commands cannot replace.
 */
final class Model {

  /** What a policy says about a path. */
  enum Rule {
    WRITABLE,
    DENY_WRITE,
    DENY_READ,
    ALLOW_READ
  }

  private final Map<Path, Set<Rule>> rules = new TreeMap<>();

  void add(Path path, Rule rule) {
    rules.computeIfAbsent(path, _ -> EnumSet.noneOf(Rule.class)).add(rule);
  }

  boolean canRead(Path path) {
    for (Path at = path; at != null; at = at.getParent()) {
      Set<Rule> here = rules.getOrDefault(at, Set.of());
      if (here.contains(Rule.DENY_READ)) {
        return false;
      }
      if (here.contains(Rule.ALLOW_READ) || here.contains(Rule.WRITABLE)) {
        return true;
      }
    }
    return true;
  }

  boolean canWrite(Path path) {
    if (!canRead(path)) {
      return false;
    }
    for (Path at = path; at != null; at = at.getParent()) {
      Set<Rule> here = rules.getOrDefault(at, Set.of());
      if (here.contains(Rule.DENY_READ) || here.contains(Rule.DENY_WRITE)) {
        return false;
      }
      if (here.contains(Rule.WRITABLE)) {
        return true;
      }
    }
    return false;
  }

  /** Whether something below a path can be read or written that the path itself cannot. */
  boolean holdsMoreThan(Path path) {
    return rules.entrySet().stream()
        .anyMatch(
            each ->
                !each.getKey().equals(path)
                    && each.getKey().startsWith(path)
                    && (each.getValue().contains(Rule.ALLOW_READ)
                        || each.getValue().contains(Rule.WRITABLE)));
  }

  /**
   * Where a path leads, whether it exists or not.
   *
   * @return null in a loop, or through a file
   */
  static @Nullable Path real(Path path) throws IOException {
    Deque<Path> names = new ArrayDeque<>();
    path.forEach(names::add);
    Path at = Path.of("/");
    int links = 0;
    while (!names.isEmpty()) {
      Path name = names.removeFirst();
      if (name.toString().equals(".")) {
        continue;
      }
      if (name.toString().equals("..")) {
        at = at.getParent() == null ? at : at.getParent();
        continue;
      }
      if (Files.exists(at, LinkOption.NOFOLLOW_LINKS) && !Files.isDirectory(at)) {
        return null;
      }
      Path next = at.resolve(name);
      if (!Files.isSymbolicLink(next)) {
        at = next;
        continue;
      }
      if (++links > 40) {
        return null;
      }
      Path target = Files.readSymbolicLink(next);
      Deque<Path> parts = new ArrayDeque<>();
      target.forEach(parts::addFirst);
      parts.forEach(names::addFirst);
      if (target.isAbsolute()) {
        at = Path.of("/");
      }
    }
    return at;
  }

  /** Whether a link is met on the way. */
  static boolean meetsLink(Path path) {
    for (Path at = path; at != null; at = at.getParent()) {
      if (Files.isSymbolicLink(at)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return rules.toString();
  }
}
