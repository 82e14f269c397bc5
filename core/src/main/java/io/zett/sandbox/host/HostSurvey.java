package io.zett.sandbox.host;

import io.zett.sandbox.posix.DiskCalls;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.SeenFiles;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.rules.Credential;
import io.zett.sandbox.rules.CredentialList;
import io.zett.sandbox.rules.PathRule.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Looks at the disk for one session, anew for each command. Thread-safe. */
public final class HostSurvey implements AutoCloseable {

  private static final List<UnixPath> SCRATCH = paths("/tmp", "/var/tmp");
  private static final List<UnixPath> RUNTIME = paths("/run", "/var/run");
  // NixOS keeps its programs there.
  private static final List<UnixPath> SYSTEM_IN_RUNTIME =
      paths("/run/current-system", "/run/opengl-driver");

  private final DiskCalls disk;
  private final Host host;
  private final PolicyPaths paths;
  private final CredentialTree inHomes;
  private final CredentialTree inSystem;
  private final @Nullable KernelSockets kernelSockets;
  private final LinkTargets linkTargets = new LinkTargets();
  private volatile @Nullable Look last;

  /** What was found, and all that it was found from. */
  private record Look(HostView view, KernelSockets.@Nullable Seen sockets, SeenFiles evidence) {

    boolean stillHolds(KernelSockets.@Nullable Seen now) {
      return (sockets == null ? now == null : sockets.isStill(now)) && evidence.areAsSeen();
    }
  }

  /** A survey for the paths of a session, with the built-in list of credentials. */
  public HostSurvey(Posix posix, Host host, PolicyPaths paths) {
    this(posix, host, paths, CredentialList.builtIn());
  }

  /** The same with another list. */
  public HostSurvey(Posix posix, Host host, PolicyPaths paths, CredentialList credentials) {
    this(posix, host, paths, credentials, new KernelSockets(posix, likelyForSockets(host, paths)));
  }

  /**
   * A survey by what a JDK can ask, with the built-in list: it finds no sockets, since no table of
   * the system's tells them.
   */
  public HostSurvey(DiskCalls disk, Host host, PolicyPaths paths) {
    this(disk, host, paths, CredentialList.builtIn(), null);
  }

  private HostSurvey(
      DiskCalls disk,
      Host host,
      PolicyPaths paths,
      CredentialList credentials,
      @Nullable KernelSockets kernelSockets) {
    this.disk = disk;
    this.host = host;
    this.paths = paths;
    List<Credential> entries = credentials.entries();
    this.inHomes = CredentialTree.of(entries.stream().filter(entry -> !entry.absolute()).toList());
    this.inSystem = CredentialTree.of(entries.stream().filter(Credential::absolute).toList());
    this.kernelSockets = kernelSockets;
  }

  /**
   * What is there now; the same view as the last time when nothing that it hangs on has changed,
   * which is a call for each path and no more work.
   */
  public HostView look() {
    KernelSockets.Seen seen = kernelSockets == null ? null : kernelSockets.now();
    Look before = last;
    if (before != null && before.stillHolds(seen)) {
      return before.view;
    }
    return lookAnew(seen);
  }

  /**
   * Whether the next look may give this view again, as far as that is known without one: it is the
   * last one, and what it was found from is remembered.
   */
  @SuppressWarnings("ReferenceEquality")
  public boolean mayStillHold(HostView view) {
    Look before = last;
    return before != null && before.view == view;
  }

  /** Gives up the tables that are held open. A look afterwards finds no further namespaces. */
  @Override
  public void close() {
    if (kernelSockets != null) {
      kernelSockets.close();
    }
  }

  private HostView lookAnew(KernelSockets.@Nullable Seen seen) {
    List<UnixPath> roots = paths.roots();
    PathWalk walk = new PathWalk(disk, new HashSet<>(roots));
    List<ViewedRule> rules = new ArrayList<>();
    for (UnixPath root : roots) {
      rules.add(new ViewedRule(root, Kind.WRITABLE, walk.resolve(root)));
    }
    for (PolicyPaths.Given given : paths.others()) {
      ResolvedPath at = walk.resolve(given.names());
      if (at.exists() || !given.onlyExisting()) {
        rules.add(new ViewedRule(given.path(), given.kind(), at));
      }
    }
    credentials(walk, rules);
    linkTargets.keepIn(walk, rules);
    HostView.Places places = places(walk);
    List<UnixPath> sockets = sockets(walk, places, rules, seen);
    HostView view =
        new HostView(
            host,
            paths.workspace(),
            rules,
            sockets,
            places,
            walk.seenInWritable(),
            host.isRoot() ? closed(walk, roots) : Map.of());
    last = walk.evidence().map(evidence -> new Look(view, seen, evidence)).orElse(null);
    return view;
  }

  private void credentials(PathWalk walk, List<ViewedRule> rules) {
    Set<UnixPath> homes = new LinkedHashSet<>();
    for (UnixPath home : host.homes()) {
      ResolvedPath resolved = walk.resolve(home);
      if (resolved.isDirectory() && homes.add(resolved.real())) {
        inHomes.find(
            disk,
            walk,
            resolved.real(),
            found -> rules.add(new ViewedRule(found.given(), Kind.CREDENTIAL, found.at())));
      }
    }
    inSystem.find(
        disk,
        walk,
        UnixPath.ROOT,
        found -> rules.add(new ViewedRule(found.given(), Kind.CREDENTIAL, found.at())));
  }

  private HostView.Places places(PathWalk walk) {
    return new HostView.Places(
        directories(walk, SCRATCH),
        directories(walk, RUNTIME),
        walk.resolve(host.home()),
        walk.resolve(UnixPath.ofText("/etc/resolv.conf")),
        walk.resolve(UnixPath.ofText("/etc/passwd")),
        walk.resolve(UnixPath.ofText("/etc/group")),
        SYSTEM_IN_RUNTIME.stream().filter(path -> walk.resolve(path).exists()).toList());
  }

  /** Where people who run this command keep things, next to where it works and what it is shown. */
  private static List<UnixPath> likelyForSockets(Host host, PolicyPaths paths) {
    Set<UnixPath> likely = new LinkedHashSet<>();
    for (UnixPath root : paths.roots()) {
      UnixPath parent = root.parent();
      likely.add(parent == null ? root : parent);
    }
    for (PolicyPaths.Given given : paths.others()) {
      if (given.kind() == Kind.ALLOW_READ) {
        likely.add(given.path());
      }
    }
    likely.addAll(host.homes());
    return List.copyOf(likely);
  }

  private static List<UnixPath> directories(PathWalk walk, List<UnixPath> names) {
    Set<UnixPath> real = new LinkedHashSet<>();
    for (UnixPath name : names) {
      ResolvedPath resolved = walk.resolve(name);
      if (resolved.isDirectory()) {
        real.add(resolved.real());
      }
    }
    return List.copyOf(real);
  }

  private List<UnixPath> sockets(
      PathWalk walk,
      HostView.Places places,
      List<ViewedRule> rules,
      KernelSockets.@Nullable Seen seen) {
    if (kernelSockets == null || seen == null) {
      return List.of();
    }
    Set<UnixPath> unseen = new HashSet<>(places.scratch());
    unseen.addAll(places.runtime());
    for (ViewedRule rule : rules) {
      if (rule.kind() == Kind.WRITABLE || rule.kind() == Kind.ALLOW_READ) {
        unseen.removeIf(area -> rule.at().real().startsWith(area));
      }
    }
    Predicate<UnixPath> hidden = path -> unseen.stream().anyMatch(path::startsWith);
    return kernelSockets.find(walk, seen, hidden);
  }

  /** What root without its capabilities cannot write, with the path that stops it. */
  private Map<UnixPath, UnixPath> closed(PathWalk walk, List<UnixPath> roots) {
    Map<UnixPath, UnixPath> closed = new HashMap<>();
    for (UnixPath root : roots) {
      PathWalk.Node at = walk.node(root);
      if (at == null || at.status == null) {
        continue;
      }
      UnixPath stop = allows(at.status, 03) ? null : at.path;
      for (PathWalk.Node up = at.parent; up != null && stop == null; up = up.parent) {
        stop = allows(Objects.requireNonNull(up.status), 01) ? null : up.path;
      }
      if (stop != null && !isOwn(walk, stop)) {
        closed.put(root, stop);
      }
    }
    return closed;
  }

  private boolean isOwn(PathWalk walk, UnixPath path) {
    PathWalk.@Nullable Node node = walk.node(path);
    return node != null && node.status != null && node.status.uid() == host.uid();
  }

  private boolean allows(FileStatus status, int bits) {
    int shift =
        status.uid() == host.uid()
            ? 6
            : status.gid() == host.gid() || host.groups().contains(status.gid()) ? 3 : 0;
    return (status.mode() >> shift & bits) == bits;
  }

  private static List<UnixPath> paths(String... names) {
    List<UnixPath> paths = new ArrayList<>();
    for (String name : names) {
      paths.add(UnixPath.of(name.getBytes(StandardCharsets.ISO_8859_1)));
    }
    return List.copyOf(paths);
  }
}
