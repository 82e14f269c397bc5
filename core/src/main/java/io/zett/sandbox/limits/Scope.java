package io.zett.sandbox.limits;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/**
 * A systemd scope of our own, with a keeper in it: a place for control groups where this user has
 * none otherwise. It goes away when the keeper does, and that does when this JVM ends. Thread-safe.
 */
final class Scope implements AutoCloseable {
  private static final String KEEPERS_GROUP = "keeper";

  private final Bus bus;
  private final Keepers.Keeper keeper;
  private final String name;
  private final UnixPath directory;
  private final boolean joinable;

  private Scope(Bus bus, Keepers.Keeper keeper, String name, UnixPath directory, boolean joinable) {
    this.bus = bus;
    this.keeper = keeper;
    this.name = name;
    this.directory = directory;
    this.joinable = joinable;
  }

  /**
   * Makes one that offers these controllers to the groups below it.
   *
   * @throws BusException if systemd does not make it
   * @throws PosixException if it cannot be used as promised
   */
  static Scope open(
      Posix posix, SystemdManager manager, Keepers keepers, Set<Controller> controllers) {
    byte[] random = posix.random(6);
    String name = SessionGroups.PREFIX + HexFormat.of().formatHex(random) + ".scope";
    Bus bus = manager.connect();
    Keepers.Keeper keeper = null;
    try {
      SystemdManager.subscribe(bus, name);
      keeper = keepers.start();
      SystemdManager.startScope(bus, name, "sandboxed commands", keeper.pid());
      Hierarchy tree = Hierarchy.unifiedOf(posix, keeper.pid());
      if (!tree.own().toString().endsWith("/" + name)) {
        throw new BusException("the scope was made, but its process is not in it: " + tree.own());
      }
      offer(posix, tree.own(), keeper.pid(), controllers);
      UnixPath ours = Hierarchy.unifiedOf(posix, 0).own();
      boolean joinable = mayMove(posix, tree.mount(), ours, tree.own());
      return new Scope(bus, keeper, name, tree.own(), joinable);
    } catch (BusException | PosixException e) {
      if (keeper != null) {
        keeper.close();
      }
      bus.close();
      throw e;
    }
  }

  /** A group with processes in it offers nothing to those below: the keeper gets its own. */
  private static void offer(Posix posix, UnixPath directory, int pid, Set<Controller> controllers) {
    UnixPath leaf = directory.resolve(KEEPERS_GROUP);
    posix.mkdirat(Constants.AT_FDCWD, leaf.bytes(), 0755);
    ControlFile.write(posix, leaf.resolve("cgroup.procs"), Integer.toString(pid));
    ControlFile.write(
        posix,
        directory.resolve("cgroup.subtree_control"),
        Controller.offering(List.copyOf(controllers)));
  }

  /**
   * Whether a process can go from one group to below another by itself: only if it may write the
   * common ancestor's list (cgroups(7), "Delegation containment rules").
   */
  private static boolean mayMove(Posix posix, UnixPath top, UnixPath from, UnixPath to) {
    UnixPath common = to;
    while (!from.startsWith(common)) {
      UnixPath parent = common.parent();
      if (parent == null || !parent.startsWith(top)) {
        return false;
      }
      common = parent;
    }
    return posix.access(common.resolve("cgroup.procs"), Constants.W_OK);
  }

  /** The scope's own group. */
  UnixPath directory() {
    return directory;
  }

  /** Whether processes of this one's can join the groups in here without systemd's help. */
  boolean isJoinable() {
    return joinable;
  }

  /**
   * Moves a process into a group in here.
   *
   * @throws BusException if systemd does not do it
   */
  void attach(UnixPath group, int pid) {
    String below = group.toString().substring(directory.toString().length());
    SystemdManager.attach(bus, name, below, pid);
  }

  /** Ends the keeper and waits a while until systemd has taken the scope away. */
  @Override
  public void close() {
    keeper.close();
    try {
      SystemdManager.awaitRemoval(bus, name);
    } catch (BusException e) {
      // It goes away a little later then, or is systemd's to explain.
    } finally {
      bus.close();
    }
  }
}
