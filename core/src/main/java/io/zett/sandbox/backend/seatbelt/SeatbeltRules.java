package io.zett.sandbox.backend.seatbelt;

import io.zett.sandbox.HomeMode;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.backend.EffectiveRules;
import io.zett.sandbox.backend.LaunchRequest;
import io.zett.sandbox.host.HostView;
import io.zett.sandbox.host.ResolvedPath;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.rules.Access;
import io.zett.sandbox.rules.Boundary;
import io.zett.sandbox.rules.PathRule;
import io.zett.sandbox.rules.PathRule.Kind;
import io.zett.sandbox.rules.PathRules;
import java.util.ArrayList;
import java.util.List;

/**
 * The rules of a policy where a sandbox has no disk of its own: the session's scratch directory and
 * home are directories of the host, and so is {@code /tmp}.
 *
 * @param readable what can be read
 * @param writable what can be written
 * @param own what of that is given to the commands, {@code /tmp} being everybody's
 * @param pinned files that must stay, or a command could make a directory of them
 */
record SeatbeltRules(
    List<Region> readable, List<Region> writable, List<Region> own, List<UnixPath> pinned) {

  static SeatbeltRules of(LaunchRequest request) {
    HostView view = request.view();
    EffectiveRules effective = EffectiveRules.of(request);
    PathRules policy = effective.rules();
    check(view, policy);
    List<PathRule> rules = new ArrayList<>(policy.rules());
    addSession(request, policy, rules);
    List<Region> own = writable(PathRules.of(rules).boundaries());
    for (UnixPath shared : view.places().scratch()) {
      rules.add(new PathRule(shared, Kind.WRITABLE));
      readOnlyInside(shared, policy, rules);
    }
    List<Boundary> boundaries = PathRules.of(rules).boundaries();
    return new SeatbeltRules(
        Region.of(boundaries, true, boundary -> boundary.access() != Access.HIDDEN),
        writable(boundaries),
        own,
        effective.pinned());
  }

  private static List<Region> writable(List<Boundary> boundaries) {
    return Region.of(boundaries, false, boundary -> boundary.access() == Access.WRITE);
  }

  /** Of the session's directory commands may write what is theirs alone. */
  private static void addSession(LaunchRequest request, PathRules policy, List<PathRule> rules) {
    rules.add(new PathRule(request.files().session(), Kind.DENY_WRITE));
    rules.add(new PathRule(request.files().scratch(), Kind.WRITABLE));
    if (request.policy().home() == HomeMode.PRIVATE) {
      rules.add(new PathRule(request.files().home(), Kind.WRITABLE));
      ResolvedPath home = request.view().places().home();
      boolean granted = policy.rules().contains(new PathRule(home.real(), Kind.WRITABLE));
      if (home.isDirectory() && !home.real().isRoot() && !granted) {
        rules.add(new PathRule(home.real(), Kind.DENY_READ));
      }
    }
  }

  /** What the policy gives to read in a shared directory is not given to write. */
  private static void readOnlyInside(UnixPath shared, PathRules policy, List<PathRule> rules) {
    for (PathRule rule : policy.rules()) {
      if (rule.kind() == Kind.ALLOW_READ
          && rule.path().startsWith(shared)
          && policy.access(rule.path()) == Access.READ) {
        rules.add(new PathRule(rule.path(), Kind.DENY_WRITE));
      }
    }
  }

  private static void check(HostView view, PathRules rules) {
    if (rules.access(UnixPath.ROOT) == Access.HIDDEN) {
      throw new SandboxSetupException(
          "denyRead", UnixPath.ROOT.toPath(), "would hide every program of the system", null);
    }
    if (rules.access(view.workspace()) == Access.HIDDEN) {
      PathRule rule = rules.deciding(view.workspace()).orElseThrow();
      throw new SandboxSetupException(
          "workspace",
          view.workspace().toPath(),
          rule.kind() == Kind.CREDENTIAL
              ? "is hidden by the list of credentials, which has " + rule.path()
              : "is hidden by denyRead of " + rule.path(),
          null);
    }
  }
}
