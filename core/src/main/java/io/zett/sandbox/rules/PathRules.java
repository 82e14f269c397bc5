package io.zett.sandbox.rules;

import static io.zett.sandbox.rules.PathRule.Kind.ALLOW_READ;
import static io.zett.sandbox.rules.PathRule.Kind.CREDENTIAL;
import static io.zett.sandbox.rules.PathRule.Kind.DENY_READ;
import static io.zett.sandbox.rules.PathRule.Kind.DENY_WRITE;
import static io.zett.sandbox.rules.PathRule.Kind.DEVELOPER_FILE;
import static io.zett.sandbox.rules.PathRule.Kind.WRITABLE;

import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.rules.PathRule.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All path rules of a policy together. Reading and writing are two questions, each answered by the
 * rule with the longest matching path that says something about it: without one, everything can be
 * read and nothing written. On equal paths deny beats allow, except that {@link Kind#ALLOW_READ} on
 * a credential's own path takes that credential off the list. Order never matters, duplicates
 * collapse. Immutable.
 */
public final class PathRules {
  // In each list deny comes first, since on equal paths it wins.
  private static final List<Kind> ON_READING = List.of(DENY_READ, CREDENTIAL, ALLOW_READ, WRITABLE);
  private static final List<Kind> ON_WRITING =
      List.of(DENY_READ, CREDENTIAL, DENY_WRITE, DEVELOPER_FILE, WRITABLE);

  private final TreeMap<UnixPath, Set<Kind>> kinds = new TreeMap<>();

  private PathRules(Collection<PathRule> rules) {
    for (PathRule rule : rules) {
      kinds.computeIfAbsent(rule.path(), _ -> EnumSet.noneOf(Kind.class)).add(rule.kind());
    }
    for (Set<Kind> here : kinds.values()) {
      if (here.contains(ALLOW_READ)) {
        here.remove(CREDENTIAL);
      }
    }
  }

  /** The rules of a collection, in whatever order. */
  public static PathRules of(Collection<PathRule> rules) {
    return new PathRules(rules);
  }

  /** What commands may do with a path. */
  public Access access(UnixPath path) {
    return verdict(path).access;
  }

  /** The rule that decides about a path; empty if none does and it is readable by default. */
  public Optional<PathRule> deciding(UnixPath path) {
    return Optional.ofNullable(verdict(path).because);
  }

  /**
   * The paths where access differs from that of the enclosing directory, enclosing ones first.
   * Rules that change nothing are not there.
   */
  public List<Boundary> boundaries() {
    List<Boundary> boundaries = new ArrayList<>();
    for (UnixPath path : kinds.keySet()) {
      Verdict here = verdict(path);
      UnixPath parent = path.parent();
      Access around = parent == null ? Access.READ : access(parent);
      if (here.because != null && here.access != around) {
        boundaries.add(new Boundary(path, here.access, here.because.kind()));
      }
    }
    return List.copyOf(boundaries);
  }

  /** Every rule once, enclosing paths first; credentials that were taken off are not there. */
  public List<PathRule> rules() {
    List<PathRule> rules = new ArrayList<>();
    for (Map.Entry<UnixPath, Set<Kind>> here : kinds.entrySet()) {
      for (Kind kind : here.getValue()) {
        rules.add(new PathRule(here.getKey(), kind));
      }
    }
    return List.copyOf(rules);
  }

  private record Verdict(Access access, @Nullable PathRule because) {}

  private Verdict verdict(UnixPath path) {
    PathRule reading = nearest(path, ON_READING);
    if (reading != null && denies(reading.kind())) {
      return new Verdict(Access.HIDDEN, reading);
    }
    PathRule writing = nearest(path, ON_WRITING);
    if (writing != null && writing.kind() == WRITABLE) {
      return new Verdict(Access.WRITE, writing);
    }
    // Both lead to "read only": the longer path is the one to blame.
    boolean writingIsNearer =
        writing != null && (reading == null || writing.path().depth() >= reading.path().depth());
    return new Verdict(Access.READ, writingIsNearer ? writing : reading);
  }

  private static boolean denies(Kind kind) {
    return kind == DENY_READ || kind == CREDENTIAL;
  }

  private @Nullable PathRule nearest(UnixPath path, List<Kind> relevant) {
    for (UnixPath at = path; at != null; at = at.parent()) {
      Set<Kind> here = kinds.get(at);
      if (here == null) {
        continue;
      }
      for (Kind kind : relevant) {
        if (here.contains(kind)) {
          return new PathRule(at, kind);
        }
      }
    }
    return null;
  }
}
