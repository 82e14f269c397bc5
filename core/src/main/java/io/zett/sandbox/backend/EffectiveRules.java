package io.zett.sandbox.backend;

import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.host.HostView;
import io.zett.sandbox.host.ResolvedPath;
import io.zett.sandbox.host.ViewedRule;
import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.rules.Access;
import io.zett.sandbox.rules.PathRule;
import io.zett.sandbox.rules.PathRule.Kind;
import io.zett.sandbox.rules.PathRules;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules on real paths, as far as this disk lets them hold.
 *
 * <p>A grant never follows a link that commands can replace; a denial follows every link.
 *
 * @param rules their meaning
 * @param points each rule and where it leads
 * @param pinned files where a denied path needs a directory: they must stay, or a command could
 *     make that directory
 * @param replaceable links, on the way to what is denied, that commands may replace
 */
public record EffectiveRules(
    PathRules rules, List<Point> points, List<UnixPath> pinned, List<UnixPath> replaceable) {

  public EffectiveRules {
    points = List.copyOf(points);
    pinned = List.copyOf(pinned);
    replaceable = List.copyOf(replaceable);
  }

  /**
   * A rule at its real path.
   *
   * @param path the path without links
   * @param kind what the rule says
   * @param at what is there
   */
  public record Point(UnixPath path, Kind kind, ResolvedPath at) {}

  /**
   * The rules of a launch.
   *
   * @throws SandboxSetupException if a directory that may be written is there no longer
   */
  public static EffectiveRules of(LaunchRequest request) {
    HostView view = request.view();
    List<Point> points = new ArrayList<>();
    List<UnixPath> lost = new ArrayList<>();
    List<UnixPath> pinned = new ArrayList<>();
    List<UnixPath> replaceable = new ArrayList<>();
    for (ViewedRule rule : view.rules()) {
      ResolvedPath at = rule.at();
      switch (rule.kind()) {
        case WRITABLE -> {
          if (at.links().isEmpty() && at.isDirectory()) {
            points.add(new Point(at.real(), Kind.WRITABLE, at));
          } else {
            lost.add(rule.given());
          }
        }
        case ALLOW_READ -> {
          if (at.exists() && !at.replaceable()) {
            points.add(new Point(at.real(), Kind.ALLOW_READ, at));
          }
        }
        case DENY_READ, DENY_WRITE, DEVELOPER_FILE, CREDENTIAL -> {
          Point point = denied(view, rule, pinned);
          if (point != null) {
            points.add(point);
          }
          if (at.replaceable()) {
            at.links().stream().filter(view.seen()::containsKey).forEach(replaceable::add);
          }
        }
      }
    }
    PathRules rules = rules(points);
    UnixPath own = request.files().directory();
    if (rules.access(own) == Access.WRITE) {
      // Whoever may write the session's own files could change what is mounted over secrets.
      points.add(new Point(own, Kind.DENY_READ, existing(own)));
      rules = rules(points);
    }
    for (UnixPath root : lost) {
      // Inside another writable directory its rule adds nothing, and nothing is mounted for it.
      if (rules.access(root) != Access.WRITE) {
        throw new SandboxSetupException(
            root.equals(view.workspace()) ? "workspace" : "writable",
            root.toPath(),
            "was removed, or replaced by a link or a file, after the sandbox was opened",
            null);
      }
    }
    return new EffectiveRules(rules, points, pinned, replaceable);
  }

  private static @Nullable Point denied(HostView view, ViewedRule rule, List<UnixPath> pinned) {
    ResolvedPath at = rule.at();
    UnixPath obstacle = at.obstacle();
    if (at.exists() || at.firstMissing() != null) {
      return new Point(at.real(), rule.kind(), at);
    }
    FileStatus status = obstacle == null ? null : view.seen().get(obstacle);
    if (obstacle == null || status == null) {
      return null; // Nothing can be there: a loop of links, or behind a file of the read-only part.
    }
    if (status.isDirectory() || rule.kind() == Kind.DEVELOPER_FILE) {
      // Closed now, but commands may own it and open it again. Or a worktree's file .git, which
      // says where hooks and configuration are.
      return new Point(obstacle, rule.kind(), ResolvedPath.existing(obstacle, status));
    }
    pinned.add(obstacle);
    return null;
  }

  private static ResolvedPath existing(UnixPath directory) {
    FileStatus directoryStatus = new FileStatus(0, 0, Constants.S_IFDIR, 0, 0, 1, 0, 0, 0);
    return ResolvedPath.existing(directory, directoryStatus);
  }

  private static PathRules rules(List<Point> points) {
    List<PathRule> rules = new ArrayList<>(points.size());
    for (Point point : points) {
      rules.add(new PathRule(point.path(), point.kind()));
    }
    return PathRules.of(rules);
  }
}
