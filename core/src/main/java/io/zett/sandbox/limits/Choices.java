package io.zett.sandbox.limits;

import static io.zett.sandbox.Enforcement.Level.FULL;
import static io.zett.sandbox.Enforcement.Level.PARTIAL;
import static io.zett.sandbox.Enforcement.Scope.PROCESS;
import static io.zett.sandbox.Enforcement.Scope.TREE;

import io.zett.sandbox.Enforcement;
import io.zett.sandbox.Limit;
import io.zett.sandbox.MemoryStrategy;
import io.zett.sandbox.SandboxPolicy;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Which mechanism keeps which limit, and what to say about it. Each limit is decided by itself: one
 * machine may count memory in a group and processes not. Immutable once made.
 */
final class Choices {
  private final SandboxPolicy policy;
  private final LimitSurroundings around;
  private final GroupSites sites;
  private final Set<Limit> grouped = EnumSet.noneOf(Limit.class);
  private final Set<Limit> watched = EnumSet.noneOf(Limit.class);
  private final Set<Limit> byResourceLimit = EnumSet.noneOf(Limit.class);
  private final Map<Limit, Enforcement> enforcements = new EnumMap<>(Limit.class);

  private Choices(SandboxPolicy policy, LimitSurroundings around, GroupSites sites) {
    this.policy = policy;
    this.around = around;
    this.sites = sites;
  }

  static Choices make(SandboxPolicy policy, LimitSurroundings around, GroupSites sites) {
    Choices choices = new Choices(policy, around, sites);
    choices.chooseMemory();
    choices.chooseCpus();
    choices.chooseCpuSeconds();
    choices.chooseProcesses();
    choices.chooseTheRest();
    return choices;
  }

  boolean usesGroup(Limit limit) {
    return grouped.contains(limit);
  }

  boolean isWatched(Limit limit) {
    return watched.contains(limit);
  }

  /** Whether a namespace tells the command's processes from others. */
  boolean hasPidNamespace() {
    return around.pidNamespace();
  }

  boolean usesResourceLimit(Limit limit) {
    return byResourceLimit.contains(limit);
  }

  Map<Limit, Enforcement> enforcements() {
    return enforcements;
  }

  void refuseWhatWasForcedInVain() {
    MemoryStrategy strategy = policy.memoryStrategy();
    if (strategy == MemoryStrategy.CGROUP && !sites.offers(Controller.MEMORY)) {
      throw new UnavailableStrategy(
          "memoryStrategy: cgroup cannot be had: this user can make no control group that counts"
              + " memory",
          sites.advice());
    }
  }

  private String groupName(Controller controller) {
    return sites.isUnified(controller) ? "cgroup v2" : "cgroup v1";
  }

  private void chooseMemory() {
    MemoryStrategy strategy = policy.memoryStrategy();
    boolean group = sites.offers(Controller.MEMORY);
    if (group && (strategy == MemoryStrategy.AUTO || strategy == MemoryStrategy.CGROUP)) {
      grouped.add(Limit.MEMORY);
      say(
          Limit.MEMORY,
          groupName(Controller.MEMORY),
          TREE,
          FULL,
          around.pidNamespace()
              ? "the kernel counts the tree, swap and scratch files included; a kill ends the tree"
              : "the kernel counts the tree, swap included, but no files on a disk, where scratch"
                  + " files are here; a kill ends the tree");
    } else if (strategy == MemoryStrategy.RLIMIT) {
      byResourceLimit.add(Limit.MEMORY);
      say(
          Limit.MEMORY,
          "RLIMIT_AS",
          PROCESS,
          PARTIAL,
          "bounds the address space of each process, not what the tree uses together");
    } else {
      watched.add(Limit.MEMORY);
      say(
          Limit.MEMORY,
          "watchdog",
          TREE,
          PARTIAL,
          "looked at every 5 to 50 ms, so a fast command can pass it for that long, and memory"
              + " that no process has mapped is not seen"
              + (around.pidNamespace() ? "" : ", nor are scratch files")
              + unlessAdvised());
    }
  }

  private void chooseCpus() {
    if (sites.offers(Controller.CPU)) {
      grouped.add(Limit.CPUS);
      say(
          Limit.CPUS,
          groupName(Controller.CPU),
          TREE,
          FULL,
          "a quota of the kernel's scheduler, and as many processors to run on, rounded up");
    } else {
      none(Limit.CPUS, "only a control group can share out processors" + unlessAdvised());
    }
  }

  private void chooseCpuSeconds() {
    byResourceLimit.add(Limit.CPU_SECONDS);
    if (sites.offers(Controller.CPUACCT)) {
      grouped.add(Limit.CPU_SECONDS);
      say(
          Limit.CPU_SECONDS,
          groupName(Controller.CPUACCT),
          TREE,
          FULL,
          "the kernel counts the tree; RLIMIT_CPU bounds each process as well");
    } else {
      watched.add(Limit.CPU_SECONDS);
      say(
          Limit.CPU_SECONDS,
          "watchdog, RLIMIT_CPU",
          TREE,
          PARTIAL,
          "the time of a child that is reaped under an ignored SIGCHLD escapes the count"
              + unlessAdvised());
    }
  }

  private void chooseProcesses() {
    if (sites.offers(Controller.PIDS)) {
      grouped.add(Limit.PROCESSES);
      say(
          Limit.PROCESSES,
          groupName(Controller.PIDS),
          TREE,
          FULL,
          "the kernel refuses more processes and threads than that");
    } else if (around.pidNamespace() && !around.root() && around.countsTasksPerNamespace()) {
      byResourceLimit.add(Limit.PROCESSES);
      say(
          Limit.PROCESSES,
          "RLIMIT_NPROC",
          TREE,
          FULL,
          "the kernel counts processes and threads of the command's own user namespace");
    } else {
      watched.add(Limit.PROCESSES);
      say(
          Limit.PROCESSES,
          "watchdog",
          TREE,
          PARTIAL,
          "looked at every 5 to 50 ms, and then the command is ended" + unlessAdvised());
    }
  }

  private void chooseTheRest() {
    say(
        Limit.FILE_SIZE,
        "RLIMIT_FSIZE",
        PROCESS,
        FULL,
        "the kernel refuses to let a file grow beyond it; pipes are not affected");
    say(
        Limit.OPEN_FILES,
        "RLIMIT_NOFILE",
        PROCESS,
        FULL,
        "the kernel refuses more descriptors in any one process");
    if (around.pidNamespace()) {
      say(
          Limit.SCRATCH_SIZE,
          "tmpfs size",
          TREE,
          FULL,
          "each of /tmp, /var/tmp, /dev/shm and a private home has a file system of that size");
    } else {
      none(Limit.SCRATCH_SIZE, "scratch files are ordinary files without a bound here");
    }
  }

  private String unlessAdvised() {
    return sites.advice().isEmpty() ? "" : "; for more: " + sites.advice();
  }

  private void none(Limit limit, String detail) {
    enforcements.put(limit, Enforcement.none(detail));
  }

  private void say(
      Limit limit,
      String mechanism,
      Enforcement.Scope scope,
      Enforcement.Level level,
      String detail) {
    enforcements.put(limit, new Enforcement(mechanism, scope, level, detail));
  }
}
