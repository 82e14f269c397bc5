package io.zett.sandbox.backend.bubblewrap;

import io.zett.sandbox.NetworkMode;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.backend.EffectiveRules;
import io.zett.sandbox.backend.HostWatch;
import io.zett.sandbox.backend.InsideHome;
import io.zett.sandbox.backend.LaunchRequest;
import io.zett.sandbox.backend.PlaceholderRequest;
import io.zett.sandbox.backend.SessionFiles;
import io.zett.sandbox.host.HostView;
import io.zett.sandbox.host.ResolvedPath;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.rules.Access;
import io.zett.sandbox.rules.DeveloperFiles;
import io.zett.sandbox.rules.PathRule;
import io.zett.sandbox.rules.PathRule.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Turns rules into mounts by one walk over all paths that matter, enclosing ones first.
 *
 * <p>Only where access differs from that of the enclosing directory is anything mounted. Between a
 * writable directory and a mount inside it every directory is mounted onto itself: a mount cannot
 * be renamed, so the way to what is denied stays what it is. Not thread-safe; used once.
 */
final class MountPlanner {

  private static final long DEFAULT_SCRATCH = 1L << 30;
  private static final int SCRATCH_MODE = 01777;
  private static final int HOME_MODE = 0700;
  static final UnixPath DEV = UnixPath.ofText("/dev");
  private static final UnixPath SHARED_MEMORY = UnixPath.ofText("/dev/shm");
  static final UnixPath PROC = UnixPath.ofText("/proc");

  /** What a command meets at a place and below it, until something else is mounted. */
  private enum Surface {
    READ,
    WRITE,
    HIDDEN,
    /** Nothing of the host. */
    PRIVATE
  }

  /**
   * Where the walk is.
   *
   * @param mount the index of its mount in the list; -1 when there is none of its own
   */
  private record Enclosing(UnixPath path, Surface surface, int mount) {}

  /** All that is known about one path. */
  private static final class Place {
    final Set<Kind> kinds = EnumSet.noneOf(Kind.class);
    @Nullable ResolvedPath at;
    @Nullable Mount area;
    boolean fixedArea;
    boolean socket;
    boolean crowded;
    boolean pinned;
    @Nullable UnixPath giveBack;

    boolean isArea() {
      return area != null || fixedArea;
    }
  }

  private final LaunchRequest request;
  private final HostView view;
  private final SessionFiles files;
  private final EffectiveRules rules;
  private final TreeMap<UnixPath, Place> places = new TreeMap<>();
  private final List<Mount> mounts = new ArrayList<>();
  private final Set<UnixPath> mounted = new HashSet<>();
  private final Set<PlaceholderRequest> placeholders = new LinkedHashSet<>();
  private final Set<UnixPath> denied = new LinkedHashSet<>();
  private final List<UnixPath> absent = new ArrayList<>();
  private final Deque<Enclosing> enclosing = new ArrayDeque<>();

  private MountPlanner(LaunchRequest request, EffectiveRules rules) {
    this.request = request;
    this.view = request.view();
    this.files = request.files();
    this.rules = rules;
  }

  static MountPlan plan(LaunchRequest request, EffectiveRules rules) {
    return new MountPlanner(request, rules).plan();
  }

  private MountPlan plan() {
    checkWorkspace();
    addAreas();
    for (EffectiveRules.Point point : rules.points()) {
      Place place = place(point.path());
      place.kinds.add(point.kind());
      place.at = point.at();
    }
    addSockets();
    rules.pinned().forEach(path -> place(path).pinned = true);
    addGiveBacks();
    enclosing.push(new Enclosing(UnixPath.ROOT, Surface.READ, -1));
    for (Map.Entry<UnixPath, Place> each : places.entrySet()) {
      while (!each.getKey().startsWith(enclosing.element().path)) {
        enclosing.pop();
      }
      decide(each.getKey(), each.getValue());
    }
    Map<UnixPath, FileStatus> links = new TreeMap<>();
    rules
        .replaceable()
        .forEach(link -> links.put(link, Objects.requireNonNull(view.seen().get(link))));
    HostWatch watch = new HostWatch(List.copyOf(denied), links, absent);
    return new MountPlan(mounts, List.copyOf(placeholders), watch);
  }

  private void checkWorkspace() {
    if (rules.rules().access(view.workspace()) == Access.HIDDEN) {
      PathRule rule = rules.rules().deciding(view.workspace()).orElseThrow();
      throw new SandboxSetupException(
          "workspace",
          view.workspace().toPath(),
          rule.kind() == Kind.CREDENTIAL
              ? "is hidden by the list of credentials, which has " + rule.path()
              : "is hidden by denyRead of " + rule.path(),
          null);
    }
    view.closed()
        .forEach(
            (root, stop) -> {
              if (rules.rules().access(root) == Access.WRITE) {
                throw new SandboxSetupException(
                    root.equals(view.workspace()) ? "workspace" : "writable",
                    root.toPath(),
                    "commands of root run without root's privileges and cannot write here, since "
                        + stop
                        + " belongs to another user; run as that user, or chown it",
                    null);
              }
            });
  }

  private void addAreas() {
    SandboxPolicy policy = request.policy();
    long size = policy.scratchSize().orElse(policy.memory().orElse(DEFAULT_SCRATCH));
    place(DEV).fixedArea = true;
    place(PROC).fixedArea = true;
    place(SHARED_MEMORY).area = new Mount.Scratch(SHARED_MEMORY, SCRATCH_MODE, size);
    for (UnixPath runtime : view.places().runtime()) {
      place(runtime).area = new Mount.Empty(runtime);
    }
    for (UnixPath scratch : view.places().scratch()) {
      place(scratch).area = new Mount.Scratch(scratch, SCRATCH_MODE, size);
    }
    UnixPath home = InsideHome.of(policy.home(), view).mounted();
    if (home != null) {
      place(home).area = new Mount.Scratch(home, HOME_MODE, size);
    }
  }

  private void addSockets() {
    view.sockets().forEach(path -> place(path).socket = true);
    List<UnixPath> masked =
        view.sockets().stream()
            .filter(path -> rules.rules().access(path) == Access.READ && !isInArea(path))
            .toList();
    CrowdedDirectories.of(view, masked).forEach(path -> place(path).crowded = true);
  }

  /** Nothing of the host is there. */
  private boolean isInArea(UnixPath path) {
    for (UnixPath at = path; at != null; at = at.parent()) {
      Place place = places.get(at);
      if (place != null && (isGranted(place) || place.isArea())) {
        return !isGranted(place);
      }
    }
    return false;
  }

  private static boolean isGranted(Place place) {
    return place.kinds.contains(Kind.WRITABLE) || place.kinds.contains(Kind.ALLOW_READ);
  }

  private void addGiveBacks() {
    view.places().system().forEach(path -> place(path).giveBack = path);
    ResolvedPath resolver = view.places().resolver();
    if (request.policy().network() == NetworkMode.UNRESTRICTED && resolver.exists()) {
      place(resolver.real()).giveBack = resolver.real();
      // A link on the way that lies in an emptied directory is stood in for by the file.
      resolver.links().forEach(link -> place(link).giveBack = resolver.real());
    }
  }

  private Place place(UnixPath path) {
    return places.computeIfAbsent(path, _ -> new Place());
  }

  private void decide(UnixPath path, Place place) {
    Enclosing around = enclosing.element();
    Access access = rules.rules().access(path);
    if (place.isArea() && !(place.kinds.contains(Kind.WRITABLE) && access != Access.HIDDEN)) {
      if (place.area == null) {
        enclosing.push(new Enclosing(path, Surface.PRIVATE, -1));
      } else {
        mount(place.area, Surface.PRIVATE);
      }
      return;
    }
    if (place.giveBack != null && around.surface == Surface.PRIVATE && access != Access.HIDDEN) {
      mount(new Mount.GiveBack(path, place.giveBack), Surface.READ);
      return;
    }
    if (place.at == null) {
      if (around.surface == Surface.READ && (place.socket || place.crowded)) {
        maskSockets(path, place);
      } else if (place.pinned && around.surface == Surface.WRITE) {
        denied.add(path); // As a directory in its place commands could fill it.
        mount(new Mount.Bind(path, true, view.seen().get(path)), Surface.WRITE);
      }
      return;
    }
    if (place.at.status() == null) {
      missing(path, place, place.at, access, around);
      return;
    }
    // The list of credentials outside of what commands may write is left out: to watch each of its
    // files would cost every command something, and tools renew such files all the time.
    if (around.surface == Surface.WRITE && access != Access.WRITE
        || around.surface == Surface.READ
            && access == Access.HIDDEN
            && place.kinds.contains(Kind.DENY_READ)) {
      denied.add(path);
    }
    switch (around.surface) {
      case READ -> {
        if (access != Access.READ) {
          mountAs(path, access, place.at.status());
        } else if ((place.socket || place.crowded) && !place.kinds.contains(Kind.ALLOW_READ)) {
          maskSockets(path, place);
        }
      }
      case WRITE -> {
        if (access != Access.WRITE) {
          mountAs(path, access, place.at.status());
        }
      }
      case HIDDEN, PRIVATE -> {
        if (access != Access.HIDDEN && isGranted(place)) {
          mountAs(path, access, place.at.status());
        }
      }
    }
  }

  private void maskSockets(UnixPath path, Place place) {
    UnixPath mask = place.crowded ? files.maskDirectory() : files.maskFile();
    mount(new Mount.Mask(path, mask), Surface.HIDDEN);
  }

  private void mountAs(UnixPath path, Access access, FileStatus status) {
    switch (access) {
      case WRITE -> mount(new Mount.Bind(path, true, status), Surface.WRITE);
      case READ -> mount(new Mount.Bind(path, false, status), Surface.READ);
      case HIDDEN -> mount(new Mount.Mask(path, mask(path, status)), Surface.HIDDEN);
    }
  }

  private UnixPath mask(UnixPath path, FileStatus status) {
    if (path.isRoot()) {
      throw new SandboxSetupException(
          "denyRead", path.toPath(), "would hide every program of the system", null);
    }
    if (status.isDirectory()) {
      return files.maskDirectory();
    }
    // Maven does not start without its settings when they exist but cannot be read.
    return path.latin1().endsWith("/.m2/settings.xml") ? files.emptySettings() : files.maskFile();
  }

  /** A denied path that is not there: nothing may come to be there. */
  private void missing(
      UnixPath path, Place place, ResolvedPath at, Access access, Enclosing around) {
    UnixPath firstMissing = at.firstMissing();
    if (firstMissing == null || around.surface != Surface.WRITE || access == Access.WRITE) {
      return;
    }
    UnixPath parent = firstMissing.parent();
    if (parent != null && request.placeholders().contains(parent)) {
      if (!mounted.contains(parent)) {
        denied.add(parent);
        mount(new Mount.Bind(parent, false, view.seen().get(parent)), Surface.READ);
      }
      return;
    }
    // An empty file called .git is an error to git, an empty directory is not.
    boolean directory = !firstMissing.equals(path) || firstMissing.latin1().endsWith("/.git");
    if (!directory && place.kinds.equals(EnumSet.of(Kind.DEVELOPER_FILE))) {
      String name = new String(path.name(), StandardCharsets.ISO_8859_1);
      if (DeveloperFiles.hasNoStandIn(name)) {
        absent.add(path);
        return;
      }
      directory = DeveloperFiles.standsAsDirectory(name);
    }
    placeholders.add(new PlaceholderRequest(firstMissing, directory));
  }

  private void mount(Mount mount, Surface surface) {
    Enclosing around = enclosing.element();
    if (around.surface == Surface.WRITE) {
      pin(mount.at(), around.path);
    } else if (around.surface == Surface.HIDDEN) {
      uncover(around);
    }
    mounts.add(mount);
    mounted.add(mount.at());
    enclosing.push(new Enclosing(mount.at(), surface, mounts.size() - 1));
  }

  /** Makes the mask of a directory one that has room for mounts. */
  private void uncover(Enclosing hidden) {
    Mount mask = mounts.get(hidden.mount);
    mounts.set(hidden.mount, new Mount.Cover(mask.at()));
  }

  /** Mounts every directory strictly between the two onto itself, the outermost first. */
  private void pin(UnixPath path, UnixPath root) {
    Deque<UnixPath> unpinned = new ArrayDeque<>();
    for (UnixPath at = path.parent();
        at != null && !at.equals(root) && !mounted.contains(at);
        at = at.parent()) {
      unpinned.push(at);
    }
    for (UnixPath at : unpinned) {
      mounts.add(new Mount.Bind(at, true, view.seen().get(at)));
      mounted.add(at);
    }
  }
}
