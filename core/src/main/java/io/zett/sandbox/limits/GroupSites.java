package io.zett.sandbox.limits;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where this process can make control groups of its own, for each controller.
 *
 * <p>Found by making one and taking it away again. No group that exists is changed: of version 2,
 * a place is a directory above ours whose {@code cgroup.subtree_control} offers the controllers
 * already (a group with processes in it cannot offer them, cgroups(7) "no internal processes"). Of
 * version 1, it is the group that this process is in.
 *
 * @param places for each controller that can be had, the directory below which groups go
 * @param unified the place of version 2, if it is one
 * @param advice what to do to get what is missing; empty when nothing is
 */
record GroupSites(Map<Controller, UnixPath> places, Optional<UnixPath> unified, String advice) {

  private static final UnixPath MOUNTINFO = UnixPath.ofText("/proc/self/mountinfo");
  private static final UnixPath MEMBERSHIP = UnixPath.ofText("/proc/self/cgroup");

  static GroupSites none(String advice) {
    return new GroupSites(Map.of(), Optional.empty(), advice);
  }

  static GroupSites find(Posix posix) {
    List<Hierarchy> hierarchies =
        Hierarchy.parse(
            ControlFile.readIfAny(posix, MOUNTINFO), ControlFile.readIfAny(posix, MEMBERSHIP));
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
    return new GroupSites(Map.copyOf(places), Optional.ofNullable(top), advice(hierarchies, places));
  }

  boolean offers(Controller controller) {
    return places.containsKey(controller);
  }

  boolean isUnified(Controller controller) {
    return unified.isPresent() && unified.equals(Optional.ofNullable(places.get(controller)));
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
    UnixPath probe = parent.resolve(SessionGroups.PREFIX + "probe-" + UUID.randomUUID());
    try {
      posix.mkdirat(Constants.AT_FDCWD, probe.bytes(), 0755);
    } catch (PosixException e) {
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

  private static String advice(List<Hierarchy> hierarchies, Map<Controller, UnixPath> places) {
    if (places.size() == Controller.values().length) {
      return "";
    }
    if (hierarchies.isEmpty()) {
      return "no control groups are mounted here; in a container, mount /sys/fs/cgroup writable";
    }
    boolean anyUnified =
        hierarchies.stream()
            .anyMatch(one -> one.unified() && !places.containsKey(Controller.MEMORY));
    return anyUnified && hierarchies.stream().allMatch(Hierarchy::unified)
        ? "start the program with: systemd-run --user --scope -p Delegate=yes; or give this user a"
            + " group of its own with memory, pids and cpu in cgroup.subtree_control"
        : "give this user a group of its own in the control group tree"
            + " (for instance: chown its directory in the memory, pids, cpu and cpuacct trees and"
            + " start the program in it)";
  }
}
