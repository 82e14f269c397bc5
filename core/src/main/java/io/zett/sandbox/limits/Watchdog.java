package io.zett.sandbox.limits;

import io.zett.sandbox.Limit;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Looks at a command's tree from time to time, where the kernel does not keep a limit for the tree
 * as a whole. What grows between two looks can pass the limit by that much.
 *
 * <p>It looks more often the nearer the command is to a limit: every 50 ms at first, every 5 ms at
 * the brink. Used by one thread.
 */
final class Watchdog implements AutoCloseable {
  static final Set<Limit> WATCHED = Set.of(Limit.MEMORY, Limit.PROCESSES, Limit.CPU_SECONDS);

  private static final long SOONEST_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long LATEST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final int STAT_FIELDS = 20;

  private final Posix posix;
  private final Budget budget;
  private final Set<Limit> limits;
  private final SandboxProc sandbox;
  private final long ticksPerSecond;
  private long peakBytes = -1;

  Watchdog(Posix posix, Budget budget, Set<Limit> limits, int initPid, UnixPath home) {
    this.posix = posix;
    this.budget = budget;
    this.limits = limits;
    this.sandbox = SandboxProc.open(posix, initPid, home);
    this.ticksPerSecond = posix.clockTicks();
  }

  Sample sample() {
    long tasks = 0;
    long ticks = 0;
    List<String> pids = sandbox.pids();
    if (limits.contains(Limit.PROCESSES) || limits.contains(Limit.CPU_SECONDS)) {
      for (String pid : pids) {
        String[] stat = statFields(sandbox.read(pid + "/stat"));
        if (stat.length >= STAT_FIELDS) {
          tasks += ControlFile.number(stat[17]);
          // Own time and that of children it waited for.
          ticks +=
              ControlFile.number(stat[11])
                  + ControlFile.number(stat[12])
                  + ControlFile.number(stat[13])
                  + ControlFile.number(stat[14]);
        }
      }
    }
    double nearest = 0;
    if (limits.contains(Limit.PROCESSES)) {
      if (tasks > budget.mostTasks()) {
        return Sample.over(Limit.PROCESSES);
      }
      nearest = (double) tasks / budget.mostTasks();
    }
    if (limits.contains(Limit.CPU_SECONDS)) {
      long allowed = budget.cpuSeconds().orElseThrow() * ticksPerSecond;
      if (ticks >= allowed) {
        return Sample.over(Limit.CPU_SECONDS);
      }
      nearest = Math.max(nearest, (double) ticks / allowed);
    }
    if (limits.contains(Limit.MEMORY)) {
      long allowed = budget.memory().orElseThrow();
      long used = memory(pids, allowed);
      peakBytes = Math.max(peakBytes, used);
      if (used > allowed) {
        return Sample.over(Limit.MEMORY);
      }
      nearest = Math.max(nearest, (double) used / allowed);
    }
    return Sample.again(pause(nearest));
  }

  /** Linear from 50 ms at half of a limit down to 5 ms at the limit. */
  private static long pause(double nearest) {
    double brink = Math.clamp(2 * nearest - 1, 0, 1);
    return LATEST_NANOS - Math.round(brink * (LATEST_NANOS - SOONEST_NANOS));
  }

  /** The cheap upper bound decides in nearly all cases; only above the limit is it worth more. */
  private long memory(List<String> pids, long allowed) {
    long scratch = sandbox.scratchBytes();
    long bound = scratch;
    for (String pid : pids) {
      bound += ProcessMemory.upperBound(sandbox.read(pid + "/status"));
    }
    if (bound <= allowed) {
      return bound;
    }
    long exact = scratch;
    for (String pid : pids) {
      long share = ProcessMemory.proportional(sandbox.read(pid + "/smaps"));
      exact += share >= 0 ? share : ProcessMemory.upperBound(sandbox.read(pid + "/status"));
    }
    return exact;
  }

  /** The fields after the program's name, which may hold blanks and parentheses: proc(5). */
  private static String[] statFields(String stat) {
    int end = stat.lastIndexOf(") ");
    return end < 0 ? new String[0] : stat.substring(end + 2).split(" ");
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
