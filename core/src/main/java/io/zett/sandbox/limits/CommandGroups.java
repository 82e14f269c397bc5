package io.zett.sandbox.limits;

import io.zett.sandbox.Limit;
import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The control groups of one command at a time, bounded before anything is in them. Those of version
 * 1 can be used again: making and removing them is most of what they cost.
 */
final class CommandGroups implements AutoCloseable {
  private static final long PERIOD_MICROS = 100_000;
  private static final long LONGEST_PERIOD_MICROS = 1_000_000;
  private static final long LEAST_QUOTA_MICROS = 1_000;
  private static final long SOONEST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long LATEST_LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long MEMORY_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /**
   * As much of its memory may be taken when a group is used again: what the kernel holds for a
   * command that has ended, such as pages of files that it was the first to read, is only given
   * back when it is needed.
   */
  private static final int LEAST_FREE_SHARE = 32;

  /** More than the kernel can number, pid_max(5): it takes no bound above that. */
  private static final long MOST_TASKS = 1 << 22;

  private final Posix posix;
  private final GroupSites sites;
  private final SessionGroups session;
  private final Budget budget;
  private final Map<Controller, UnixPath> groups;
  private final List<Integer> joins = new ArrayList<>();
  private final List<UnixPath> moves = new ArrayList<>();
  private int oomEvent = -1;
  private boolean killedAsOne;
  private long refusalsBefore;
  private long cpuNanosBefore;

  private CommandGroups(
      Posix posix,
      GroupSites sites,
      SessionGroups session,
      Budget budget,
      Map<Controller, UnixPath> groups) {
    this.posix = posix;
    this.sites = sites;
    this.session = session;
    this.budget = budget;
    this.groups = groups;
  }

  static CommandGroups open(
      Posix posix, GroupSites sites, SessionGroups session, Budget budget, List<Controller> which) {
    Map<Controller, UnixPath> groups = session.makeCommandGroups(new HashSet<>(which));
    CommandGroups made = new CommandGroups(posix, sites, session, budget, new EnumMap<>(groups));
    try {
      groups.forEach(made::bound);
      made.openJoins();
      return made;
    } catch (PosixException e) {
      made.close();
      throw e;
    }
  }

  private void openJoins() {
    for (UnixPath group : new HashSet<>(groups.values())) {
      if (session.mover(group) != null) {
        moves.add(group);
        continue;
      }
      boolean unified = sites.unified().filter(group::startsWith).isPresent();
      joins.add(
          posix.open(group.resolve(unified ? "cgroup.procs" : "tasks"), Constants.O_WRONLY, 0));
    }
  }

  /**
   * Whether {@link #renew} may succeed. A group of version 2 does not forget the most memory that
   * was in use, before Linux 6.12.
   */
  boolean isRenewable() {
    return !groups.isEmpty() && groups.keySet().stream().noneMatch(sites::isUnified);
  }

  /** Whether the dead of the last command count still, until their parent has waited for them. */
  boolean hasUnburied() {
    UnixPath group = groups.get(Controller.PIDS);
    try {
      return group != null
          && ControlFile.number(ControlFile.read(posix, group.resolve("pids.current"))) > 0;
    } catch (PosixException e) {
      return false; // Who renews it finds out why.
    }
  }

  /**
   * Makes them as if nothing had ever been in them.
   *
   * @return false if that cannot be; then they are to be closed
   */
  boolean renew() {
    try {
      for (UnixPath group : new HashSet<>(groups.values())) {
        if (!ControlFile.read(posix, group.resolve("tasks")).isEmpty()) {
          return false;
        }
      }
      for (Map.Entry<Controller, UnixPath> each : groups.entrySet()) {
        if (!renew(each.getKey(), each.getValue())) {
          return false;
        }
      }
      openJoins();
      return true;
    } catch (PosixException e) {
      return false;
    }
  }

  private boolean renew(Controller controller, UnixPath group) {
    switch (controller) {
      case MEMORY -> {
        if (outOfMemory() || isFilled(group)) {
          return false;
        }
        ControlFile.write(posix, group.resolve("memory.max_usage_in_bytes"), "0");
        oomEvent = OomEvent.register(posix, group);
      }
      case PIDS -> refusalsBefore = refusals(group);
      // Setting the quota hands out a new one, and ends a wait for it.
      case CPU -> boundCpu(group, false, budget.cpus().orElseThrow());
      case CPUACCT -> cpuNanosBefore = countedNanos(group);
    }
    return true;
  }

  private boolean isFilled(UnixPath group) {
    String left = ControlFile.read(posix, group.resolve("memory.usage_in_bytes"));
    return ControlFile.number(left) > budget.memory().orElseThrow() / LEAST_FREE_SHARE;
  }

  private void bound(Controller controller, UnixPath group) {
    boolean unified = sites.isUnified(controller);
    switch (controller) {
      case MEMORY -> boundMemory(group, unified, budget.memory().orElseThrow());
      case PIDS -> {
        long most = budget.mostTasks();
        ControlFile.write(
            posix, group.resolve("pids.max"), most > MOST_TASKS ? "max" : Long.toString(most));
      }
      case CPU -> boundCpu(group, unified, budget.cpus().orElseThrow());
      case CPUACCT -> {
        // Only counted; the look at the count ends the command.
      }
    }
  }

  private void boundMemory(UnixPath group, boolean unified, long bytes) {
    String text = Long.toString(bytes);
    if (unified) {
      writeIfThere(group.resolve("memory.swap.max"), "0");
      killedAsOne = writeIfThere(group.resolve("memory.oom.group"), "1");
      ControlFile.write(posix, group.resolve("memory.max"), text);
      return;
    }
    ControlFile.write(posix, group.resolve("memory.limit_in_bytes"), text);
    // Memory and swap together may not be set below memory: the order matters.
    writeIfThere(group.resolve("memory.memsw.limit_in_bytes"), text);
    oomEvent = OomEvent.register(posix, group);
  }

  private void boundCpu(UnixPath group, boolean unified, double cores) {
    if (cores >= processors()) {
      return; // Nothing can use more than there is; the kernel refuses absurdly large quotas.
    }
    long period = PERIOD_MICROS;
    while (cores * period < LEAST_QUOTA_MICROS && period < LONGEST_PERIOD_MICROS) {
      period = Math.min(LONGEST_PERIOD_MICROS, period * 2);
    }
    long quota = Math.max(LEAST_QUOTA_MICROS, Math.round(cores * period));
    if (unified) {
      ControlFile.write(posix, group.resolve("cpu.max"), quota + " " + period);
    } else {
      ControlFile.write(posix, group.resolve("cpu.cfs_period_us"), Long.toString(period));
      try {
        ControlFile.write(posix, group.resolve("cpu.cfs_quota_us"), Long.toString(quota));
      } catch (PosixException e) {
        // Version 1 refuses a larger share than a group around ours has: that one holds then.
        if (e.errno() != Errno.EINVAL) {
          throw e;
        }
      }
    }
  }

  /** Those that a command can run on; the JVM's own figure may be a setting of its user's. */
  private int processors() {
    return posix.processors(0).cardinality();
  }

  private boolean writeIfThere(UnixPath file, String value) {
    boolean there = ControlFile.exists(posix, file);
    if (there) {
      ControlFile.write(posix, file, value);
    }
    return there;
  }

  /** To be written {@code 0} to by the process that joins; valid until {@link #close}. */
  List<Integer> joins() {
    return List.copyOf(joins);
  }

  /** Whether somebody else has to be asked to move the process. */
  boolean needsMove() {
    return !moves.isEmpty();
  }

  /**
   * Has a process moved into those groups that it could not join by itself, and makes sure of it.
   *
   * @throws BusException if it is not there then
   */
  void move(int pid) {
    for (UnixPath group : moves) {
      Scope mover = session.mover(group);
      if (mover != null) {
        mover.attach(group, pid);
      }
      UnixPath now = Hierarchy.unifiedOf(posix, pid).own();
      if (!now.equals(group)) {
        throw new BusException("systemd moved the process to " + now + " and not to " + group);
      }
    }
  }

  /** A descriptor that is readable once the kernel killed something for memory, or -1. */
  int oomEvent() {
    return oomEvent;
  }

  Sample sample() {
    Sample found = Sample.NEVER_AGAIN;
    if (groups.containsKey(Controller.MEMORY)) {
      if (outOfMemory()) {
        return Sample.over(Limit.MEMORY);
      }
      // A kernel that kills the whole group at once needs no help from here.
      found = oomEvent < 0 && !killedAsOne ? Sample.again(MEMORY_LOOK_NANOS) : found;
    }
    if (groups.containsKey(Controller.CPUACCT)) {
      found = found.and(sampleCpu());
    }
    return found;
  }

  private Sample sampleCpu() {
    long left = TimeUnit.SECONDS.toNanos(budget.cpuSeconds().orElseThrow()) - cpuNanos();
    if (left <= 0) {
      return Sample.over(Limit.CPU_SECONDS);
    }
    // It cannot be used up sooner than by all processors at once.
    long soonest = left / processors();
    return Sample.again(Math.clamp(soonest, SOONEST_LOOK_NANOS, LATEST_LOOK_NANOS));
  }

  /** Whether the kernel killed any process of the group for its memory. */
  boolean outOfMemory() {
    UnixPath group = groups.get(Controller.MEMORY);
    if (group == null) {
      return false;
    }
    String file = sites.isUnified(Controller.MEMORY) ? "memory.events" : "memory.oom_control";
    return ControlFile.value(ControlFile.readIfAny(posix, group.resolve(file)), "oom_kill") > 0;
  }

  /** Whether the kernel refused a process or thread. */
  boolean refusedProcesses() {
    UnixPath group = groups.get(Controller.PIDS);
    return group != null && refusals(group) > refusalsBefore;
  }

  private long refusals(UnixPath group) {
    return ControlFile.value(ControlFile.readIfAny(posix, group.resolve("pids.events")), "max");
  }

  /** Processor time of the tree in nanoseconds, or -1. */
  long cpuNanos() {
    UnixPath group = groups.get(Controller.CPUACCT);
    long counted = group == null ? -1 : countedNanos(group);
    return counted < 0 ? -1 : counted - cpuNanosBefore;
  }

  private long countedNanos(UnixPath group) {
    if (!sites.isUnified(Controller.CPUACCT)) {
      return ControlFile.number(ControlFile.readIfAny(posix, group.resolve("cpuacct.usage")));
    }
    long micros =
        ControlFile.value(ControlFile.readIfAny(posix, group.resolve("cpu.stat")), "usage_usec");
    return micros < 0 ? -1 : TimeUnit.MICROSECONDS.toNanos(micros);
  }

  /** The most memory that the tree used at once, file cache included, in bytes, or -1. */
  long peakBytes() {
    UnixPath group = groups.get(Controller.MEMORY);
    if (group == null) {
      return -1;
    }
    String file = sites.isUnified(Controller.MEMORY) ? "memory.peak" : "memory.max_usage_in_bytes";
    return ControlFile.number(ControlFile.readIfAny(posix, group.resolve(file)));
  }

  void closeJoins() {
    joins.forEach(posix::close);
    joins.clear();
  }

  /** What is only needed while a command runs. */
  void closeDescriptors() {
    closeJoins();
    if (oomEvent >= 0) {
      posix.close(oomEvent);
      oomEvent = -1;
    }
  }

  @Override
  public void close() {
    closeDescriptors();
    session.remove(groups.values());
    groups.clear();
  }
}
