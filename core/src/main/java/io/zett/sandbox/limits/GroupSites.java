package io.zett.sandbox.limits;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where this process can make control groups of its own, for each controller.
 *
 * <p>Found by making one and taking it away again. No group that exists is changed: of version 2, a
 * place is a directory above ours whose {@code cgroup.subtree_control} offers the controllers
 * already (a group with processes in it cannot offer them, cgroups(7) "no internal processes"). Of
 * version 1, it is the group that this process is in.
 *
 * @param places for each controller that can be had, the directory below which groups go
 * @param unified the place of version 2, if it is one
 * @param scope what a systemd scope of our own would offer, where that is more; it is made when it
 *     is needed
 * @param advice what to do to get what is missing; empty when nothing is
 */
record GroupSites(
    Map<Controller, UnixPath> places,
    Optional<UnixPath> unified,
    Optional<ScopeOffer> scope,
    String advice) {

  private static final UnixPath MEMBERSHIP = UnixPath.ofText("/proc/self/cgroup");

  static GroupSites none(String advice) {
    return new GroupSites(Map.of(), Optional.empty(), Optional.empty(), advice);
  }

  static GroupSites find(Posix posix) {
    List<Hierarchy> hierarchies =
        Hierarchy.parse(
            ControlFile.readIfAny(posix, Hierarchy.MOUNTINFO),
            ControlFile.readIfAny(posix, MEMBERSHIP));
    Map<Controller, UnixPath> places = new EnumMap<>(Controller.class);
    UnixPath top = null;
    for (Hierarchy hierarchy : hierarchies) {
      if (hierarchy.unified() && top == null) {
        top = findUnified(posix, hierarchy, places);
      }
    }
    for (Hierarchy hierarchy : hierarchies) {
      if (!hierarchy.unified()) {
        addVersion1(posix, hierarchy, places);
      }
    }
    Optional<ScopeOffer> scope =
        ScopeOffer.find(posix, hierarchies)
            .filter(offer -> !places.keySet().containsAll(offer.controllers()));
    Set<Controller> all = EnumSet.noneOf(Controller.class);
    all.addAll(places.keySet());
    scope.ifPresent(offer -> all.addAll(offer.controllers()));
    return new GroupSites(
        Map.copyOf(places), Optional.ofNullable(top), scope, advice(hierarchies, all));
  }

  boolean offers(Controller controller) {
    return places.containsKey(controller) || isInScope(controller);
  }

  boolean isUnified(Controller controller) {
    UnixPath place = places.get(controller);
    return place == null ? isInScope(controller) : Optional.of(place).equals(unified);
  }

  private boolean isInScope(Controller controller) {
    return scope.isPresent() && scope.get().controllers().contains(controller);
  }

  /** Once a scope has been made: it is the place of all that it offers. */
  GroupSites in(UnixPath directory) {
    Map<Controller, UnixPath> all = new EnumMap<>(Controller.class);
    all.putAll(places);
    scope.ifPresent(
        offer -> offer.controllers().forEach(controller -> all.put(controller, directory)));
    return new GroupSites(Map.copyOf(all), Optional.of(directory), Optional.empty(), advice);
  }

  /** Once it has turned out that no scope can be made. */
  GroupSites withoutScope(String why) {
    return new GroupSites(
        places, unified, Optional.empty(), "let systemd make scopes for this user (" + why + ")");
  }

  private static @Nullable UnixPath findUnified(
      Posix posix, Hierarchy hierarchy, Map<Controller, UnixPath> places) {
    UnixPath best = null;
    Set<Controller> most = Set.of();
    for (UnixPath at = hierarchy.own();
        at != null && at.startsWith(hierarchy.mount());
        at = at.parent()) {
      Set<Controller> offered = offeredBy(posix, at);
      if (offered.size() > most.size() && mayMigrateInto(posix, at) && canMakeGroup(posix, at)) {
        best = at;
        most = offered;
      }
    }
    if (best != null) {
      for (Controller controller : most) {
        places.put(controller, best);
      }
      places.put(Controller.CPUACCT, best);
    }
    return best;
  }

  private static Set<Controller> offeredBy(Posix posix, UnixPath group) {
    Set<String> enabled =
        Set.of(
            ControlFile.readIfAny(posix, group.resolve("cgroup.subtree_control"))
                .strip()
                .split(" "));
    return Stream.of(Controller.MEMORY, Controller.PIDS, Controller.CPU)
        .filter(controller -> enabled.contains(controller.kernelName()))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** A process moves only where it may write the common ancestor's {@code cgroup.procs}. */
  private static boolean mayMigrateInto(Posix posix, UnixPath group) {
    return posix.access(group.resolve("cgroup.procs"), Constants.W_OK);
  }

  private static void addVersion1(
      Posix posix, Hierarchy hierarchy, Map<Controller, UnixPath> places) {
    for (Controller controller : Controller.all()) {
      if (hierarchy.controllers().contains(controller.kernelName())
          && !places.containsKey(controller)
          && canMakeGroup(posix, hierarchy.own())) {
        places.put(controller, hierarchy.own());
      }
    }
  }

  private static boolean canMakeGroup(Posix posix, UnixPath parent) {
    if (!posix.access(parent, Constants.W_OK | Constants.X_OK)) {
      return false;
    }
    UnixPath probe =
        parent.resolve(
            SessionGroups.PREFIX + "probe-" + HexFormat.of().formatHex(posix.random(18)));
    try {
      posix.mkdirat(Constants.AT_FDCWD, probe.bytes(), 0755);
    } catch (PosixException e) {
      e.throwIfShortage();
      return false;
    }
    try {
      posix.unlinkat(Constants.AT_FDCWD, probe.bytes(), Constants.AT_REMOVEDIR);
    } catch (PosixException e) {
      if (e.errno() != Errno.ENOENT) { // Somebody else swept it already.
        throw e;
      }
    }
    return true;
  }

  private static String advice(List<Hierarchy> hierarchies, Set<Controller> had) {
    if (had.size() == Controller.values().length) {
      return "";
    }
    if (hierarchies.isEmpty()) {
      return "no control groups are mounted here; in a container, mount /sys/fs/cgroup writable";
    }
    boolean unified = hierarchies.stream().allMatch(Hierarchy::unified);
    if (!unified) {
      return "give this user a group of its own in the memory, pids, cpu and cpuacct trees"
          + " (as root: mkdir and chown one in each, and start the program in it)";
    }
    return had.isEmpty()
        ? "start the program in a user session of systemd (loginctl enable-linger USER), or in a"
            + " group that this user owns and whose parent, too, with memory, pids and cpu in the"
            + " parent's cgroup.subtree_control"
        : "let systemd hand on the missing controllers (Delegate=memory pids cpu in a drop-in of"
            + " user@.service)";
  }
}
