package io.zett.sandbox.limits;

import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a scope of this user's systemd would offer, without making one.
 *
 * @param manager who would make it
 * @param controllers what could be counted in it
 */
record ScopeOffer(SystemdManager manager, Set<Controller> controllers) {

  /** Empty where no systemd can be asked, or where it has no controller to hand on. */
  static Optional<ScopeOffer> find(Posix posix, List<Hierarchy> hierarchies) {
    return hierarchies.stream()
        .filter(Hierarchy::unified)
        .findFirst()
        .flatMap(tree -> SystemdManager.find(posix).flatMap(manager -> of(posix, tree, manager)));
  }

  /**
   * Makes it.
   *
   * @throws BusException if systemd does not
   */
  Scope open(Posix posix, Keepers keepers) {
    return Scope.open(posix, manager, keepers, controllers);
  }

  private static Optional<ScopeOffer> of(Posix posix, Hierarchy tree, SystemdManager manager) {
    UnixPath group = manager.groupOfManager().map(tree.mount()::resolve).orElse(tree.mount());
    String handed = ControlFile.readIfAny(posix, group.resolve("cgroup.controllers"));
    Set<String> names = Set.of(handed.strip().split(" "));
    Set<Controller> controllers = EnumSet.noneOf(Controller.class);
    for (Controller controller : Controller.all()) {
      if (names.contains(controller.kernelName())) {
        controllers.add(controller);
      }
    }
    if (controllers.isEmpty()) {
      return Optional.empty();
    }
    controllers.add(Controller.CPUACCT); // Every group of version 2 counts processor time.
    return Optional.of(new ScopeOffer(manager, controllers));
  }
}
