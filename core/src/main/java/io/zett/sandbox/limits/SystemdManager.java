package io.zett.sandbox.limits;

import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import java.util.Optional;

/**
 * The systemd that manages this user's units: the system's own for root, else that of the user's
 * session (org.freedesktop.systemd1(5)).
 *
 * @param socket the message bus where it can be found
 * @param uid whose it is
 */
record SystemdManager(UnixPath socket, int uid) {
  private static final String NAME = "org.freedesktop.systemd1";
  private static final UnixPath SYSTEM_BUS = UnixPath.ofText("/run/dbus/system_bus_socket");
  private static final UnixPath SYSTEMD_RUNS = UnixPath.ofText("/run/systemd/system");

  /** Of this process's user, if there is one. Nothing is asked yet. */
  static Optional<SystemdManager> find(Posix posix) {
    int uid = posix.geteuid();
    UnixPath socket = uid == 0 ? SYSTEM_BUS : UnixPath.ofText("/run/user/" + uid + "/bus");
    FileStatus status = posix.lstat(socket);
    boolean usable =
        status != null
            && status.isSocket()
            && status.uid() == uid
            && posix.lstat(SYSTEMD_RUNS) != null;
    return usable ? Optional.of(new SystemdManager(socket, uid)) : Optional.empty();
  }

  /** Below the top of the tree, the group whose controllers it can hand on; empty: the top. */
  Optional<String> groupOfManager() {
    return uid == 0
        ? Optional.empty()
        : Optional.of("user.slice/user-" + uid + ".slice/user@" + uid + ".service");
  }

  Bus connect() {
    return Bus.connect(socket.toPath(), uid);
  }

  /** What becomes of this unit, and of jobs on it, will be told. */
  static void subscribe(Bus bus, String unit) {
    String rule = "type='signal',interface='" + NAME + ".Manager',member='";
    bus.addMatch(rule + "JobRemoved',arg2='" + unit + "'");
    bus.addMatch(rule + "UnitRemoved',arg0='" + unit + "'");
    bus.call(new BusCall(manager("Subscribe"), ""));
  }

  /**
   * Makes a scope, whose groups below its own are nobody's but its maker's, around a process. What
   * runs out of memory in there is that process's own matter, not the whole scope's.
   */
  static void startScope(Bus bus, String name, String description, int pid) {
    BusMessage job;
    try {
      job = bus.call(scope(name, description, pid, true));
    } catch (BusException e) {
      // Before version 253 a scope has no OOMPolicy, and does nothing either.
      job = bus.call(scope(name, description, pid, false));
    }
    String path = job.string();
    bus.awaitSignal(
        "JobRemoved",
        removed -> {
          removed.number();
          return removed.string().equals(path);
        });
  }

  private static BusCall scope(String name, String description, int pid, boolean oomPolicy) {
    BusCall call = new BusCall(manager("StartTransientUnit"), "ssa(sv)a(sa(sv))");
    call.string(name).string("fail");
    call.array(
        8,
        () -> {
          property(call, "Description", "s").string(description);
          property(call, "Delegate", "b").number(1);
          property(call, "CollectMode", "s").string("inactive-or-failed");
          if (oomPolicy) {
            property(call, "OOMPolicy", "s").string("continue");
          }
          property(call, "PIDs", "au").array(4, () -> call.number(pid));
        });
    return call.array(8, () -> {});
  }

  private static BusCall property(BusCall call, String name, String type) {
    return call.structure().string(name).signature(type);
  }

  /** Moves a process of this user's into a group below a scope's own. */
  static void attach(Bus bus, String scope, String group, int pid) {
    BusCall call = new BusCall(manager("AttachProcessesToUnit"), "ssau");
    bus.call(call.string(scope).string(group).array(4, () -> call.number(pid)));
  }

  /** Waits until systemd has forgotten a unit, and removed its groups. */
  static void awaitRemoval(Bus bus, String name) {
    bus.awaitSignal("UnitRemoved", removed -> removed.string().equals(name));
  }

  private static BusCall.Address manager(String member) {
    return new BusCall.Address(NAME, "/org/freedesktop/systemd1", NAME + ".Manager", member);
  }
}
