package io.zett.sandbox.limits;

import io.zett.sandbox.Limit;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a command's tree from time to time, where the kernel does not keep a limit for the tree
 * as a whole. What grows between two looks can pass the limit by that much.
 *
 * <p>It looks more often the nearer the command is to a limit: every 50 ms at first, every 5 ms at
 * the brink. Processor time cannot come faster than all processors together give it, so that is
 * looked at only as often as it could have been used up. Used by one thread.
 */
final class Watchdog implements AutoCloseable {
  private static final long SOONEST_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long LATEST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long LATEST_CPU_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final int STAT_FIELDS = 20;

  private final Budget budget;
  private final Set<Limit> limits;
  private final SandboxProc sandbox;
  private final long ticksPerSecond;
  private final int processors;
  private long peakBytes = -1;
  private long cpuMicros = -1;
  private long highestResident;
  private long cpuDue = Long.MIN_VALUE;

  /**
   * One for a command that has not begun.
   *
   * @param initPid its first process as this process sees it
   * @param home its home directory, which may be scratch; null when it has no namespaces of its own
   */
  Watchdog(Posix posix, Budget budget, Set<Limit> limits, int initPid, @Nullable UnixPath home) {
    this.budget = budget;
    this.limits = limits;
    this.ticksPerSecond = posix.clockTicks();
    this.processors = posix.processors(0).cardinality();
    // Last: it has to be closed.
    this.sandbox =
        home == null ? SandboxProc.ofHost(posix, initPid) : SandboxProc.open(posix, initPid, home);
  }

  Sample sample() {
    List<Integer> pids = sandbox.pids();
    Sample found = Sample.NEVER_AGAIN;
    if (limits.contains(Limit.PROCESSES)) {
      found = found.and(processes(pids));
    }
    if (limits.contains(Limit.CPU_SECONDS)) {
      found = found.and(cpuSeconds(pids));
    }
    if (limits.contains(Limit.MEMORY)) {
      found = found.and(memory(pids));
    }
    return found;
  }

  private Sample processes(List<Integer> pids) {
    long tasks = 1;
    for (Integer pid : pids) {
      tasks += Math.max(1, stat(pid, 17));
    }
    return judged(Limit.PROCESSES, tasks, budget.mostTasks());
  }

  private Sample cpuSeconds(List<Integer> pids) {
    long now = System.nanoTime();
    if (cpuDue != Long.MIN_VALUE && cpuDue - now > 0) {
      return Sample.again(cpuDue - now);
    }
    // zett-init's own is tiny, and children that it reaped are in its time.
    long ticks = cpuTicks(sandbox.first());
    for (Integer pid : pids) {
      ticks += cpuTicks(pid);
    }
    // Never less than before: what a process had that nobody waited for goes with it.
    cpuMicros = Math.max(cpuMicros, TimeUnit.SECONDS.toMicros(ticks) / ticksPerSecond);
    long left = budget.cpuSeconds().orElseThrow() * ticksPerSecond - ticks;
    if (left <= 0) {
      return Sample.over(Limit.CPU_SECONDS);
    }
    long soonest = TimeUnit.SECONDS.toNanos(left) / ticksPerSecond / processors;
    long pause = Math.clamp(soonest, SOONEST_NANOS, LATEST_CPU_NANOS);
    cpuDue = now + pause;
    return Sample.again(pause);
  }

  /** A process's own time and that of children it waited for. */
  private long cpuTicks(Integer pid) {
    String[] stat = statFields(pid);
    long ticks = 0;
    for (int field = 11; field <= 14 && stat.length >= STAT_FIELDS; field++) {
      ticks += ControlFile.number(stat[field]);
    }
    return ticks;
  }

  /**
   * What is resident is never too little and cheap to know, and decides in nearly all looks. Only
   * beyond the limit, or for a new peak, is it worth more.
   */
  private Sample memory(List<Integer> pids) {
    long allowed = budget.memory().orElseThrow();
    long scratch = sandbox.scratchBytes();
    long resident = scratch;
    for (Integer pid : pids) {
      resident += sandbox.residentBytes(pid);
    }
    sandbox.forgetAllBut(pids);
    if (resident <= allowed && resident <= highestResident) {
      return judged(Limit.MEMORY, resident, allowed);
    }
    highestResident = Math.max(highestResident, resident);
    long used = scratch;
    for (Integer pid : pids) {
      used += ProcessMemory.upperBound(sandbox.read(pid + "/status"));
    }
    if (used > allowed) {
      used = scratch + proportional(pids);
    }
    peakBytes = Math.max(peakBytes, used);
    return judged(Limit.MEMORY, used, allowed);
  }

  private long proportional(List<Integer> pids) {
    long exact = 0;
    for (Integer pid : pids) {
      long share = ProcessMemory.proportional(sandbox.read(pid + "/smaps"));
      exact += share >= 0 ? share : ProcessMemory.upperBound(sandbox.read(pid + "/status"));
    }
    return exact;
  }

  private static Sample judged(Limit limit, long used, long allowed) {
    return used > allowed ? Sample.over(limit) : Sample.again(pause((double) used / allowed));
  }

  /** Linear from 50 ms at half of a limit down to 5 ms at the limit. */
  private static long pause(double nearest) {
    double brink = Math.clamp(2 * nearest - 1, 0, 1);
    return LATEST_NANOS - Math.round(brink * (LATEST_NANOS - SOONEST_NANOS));
  }

  private long stat(Integer pid, int field) {
    String[] stat = statFields(pid);
    return stat.length >= STAT_FIELDS ? ControlFile.number(stat[field]) : 0;
  }

  /** The fields after the program's name, which may hold blanks and parentheses: proc(5). */
  private String[] statFields(Integer pid) {
    String stat = sandbox.read(pid + "/stat");
    int end = stat.lastIndexOf(") ");
    return end < 0 ? new String[0] : stat.substring(end + 2).split(" ");
  }

  /** The most processor time counted, in microseconds, at most half a second ago, or -1. */
  long cpuMicros() {
    return cpuMicros;
  }

  /** The most memory seen, in bytes, or -1. */
  long peakBytes() {
    return peakBytes;
  }

  @Override
  public void close() {
    sandbox.close();
  }
}
