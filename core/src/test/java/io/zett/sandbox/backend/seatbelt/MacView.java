package io.zett.sandbox.backend.seatbelt;

import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.backend.LaunchRequest;
import io.zett.sandbox.backend.SessionFiles;
import io.zett.sandbox.host.Host;
import io.zett.sandbox.host.HostView;
import io.zett.sandbox.host.ResolvedPath;
import io.zett.sandbox.host.ViewedRule;
import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.rules.PathRule.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** A Mac's disk as a value: home {@code /Users/me}, workspace in it, the session in TMPDIR. */
final class MacView {

  static final UnixPath WORKSPACE = path("/Users/me/project");
  private static final UnixPath SESSION = path("/private/var/folders/x1/abc/T/zett-1");

  private final List<ViewedRule> rules = new ArrayList<>();
  private final Map<UnixPath, FileStatus> seen = new HashMap<>();
  private final SandboxPolicy policy;
  private UnixPath workspace = WORKSPACE;

  MacView() {
    this(policy -> policy);
  }

  MacView(UnaryOperator<SandboxPolicy.Builder> options) {
    policy = options.apply(SandboxPolicy.builder()).build();
  }

  static UnixPath path(String text) {
    return UnixPath.ofText(text);
  }

  private static FileStatus status(int type, UnixPath path) {
    return new FileStatus(1, path.hashCode(), type | 0755, 501, 20, 1, 0, 0, 0);
  }

  MacView workspace(UnixPath other) {
    workspace = other;
    return this;
  }

  /** A rule on a file without links. */
  MacView file(Kind kind, UnixPath path) {
    return rule(kind, path, ResolvedPath.existing(path, status(Constants.S_IFREG, path)));
  }

  /** A rule on a directory without links. */
  MacView directory(Kind kind, UnixPath path) {
    return rule(kind, path, ResolvedPath.existing(path, status(Constants.S_IFDIR, path)));
  }

  /** A rule on what is not there. */
  MacView missing(Kind kind, UnixPath path, UnixPath firstMissing) {
    return rule(kind, path, ResolvedPath.missing(path, firstMissing));
  }

  /** A rule on a path that leads elsewhere by a link that commands cannot replace. */
  MacView linked(Kind kind, UnixPath given, UnixPath real, UnixPath link) {
    FileStatus there = status(Constants.S_IFDIR, real);
    return rule(kind, given, new ResolvedPath(real, there, null, null, List.of(link), false));
  }

  private MacView rule(Kind kind, UnixPath given, ResolvedPath at) {
    rules.add(new ViewedRule(given, kind, at));
    return this;
  }

  LaunchRequest request() {
    List<ViewedRule> all = new ArrayList<>(rules);
    FileStatus there = status(Constants.S_IFDIR, workspace);
    all.add(new ViewedRule(workspace, Kind.WRITABLE, ResolvedPath.existing(workspace, there)));
    seen.putIfAbsent(workspace, there);
    UnixPath home = path("/Users/me");
    Host host = new Host(501, 20, List.of(), "25.0.0", "me", home, List.of(home), List.of());
    HostView.Places places =
        new HostView.Places(
            List.of(path("/private/tmp"), path("/private/var/tmp")),
            List.of(path("/private/var/run")),
            ResolvedPath.existing(home, status(Constants.S_IFDIR, home)),
            ResolvedPath.existing(path("/etc/resolv.conf"), there),
            ResolvedPath.existing(path("/etc/passwd"), there),
            ResolvedPath.existing(path("/etc/group"), there),
            List.of());
    UnixPath run = SESSION.resolve("run");
    SessionFiles files =
        new SessionFiles(
            run.resolve("file000"),
            run.resolve("dir000"),
            run.resolve("settings.xml"),
            run.resolve("passwd"),
            run.resolve("group"));
    return new LaunchRequest(
        policy,
        new HostView(host, workspace, all, List.of(), places, seen, Map.of()),
        files,
        Set.of());
  }
}
