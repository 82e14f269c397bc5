package io.zett.sandbox.limits;

import io.zett.sandbox.Limit;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.ResourceLimit;
import io.zett.sandbox.posix.UnixPath;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The limits of one command: made before it starts, joined by its first process, looked at while it
 * runs, read and removed when it has ended.
 *
 * <p>Not thread-safe: each method is called by one thread at a time.
 */
public final class LimitGroup implements AutoCloseable {
  private final Posix posix;
  private final Budget budget;
  private final Set<Limit> watched;
  private final boolean pidNamespace;
  private final Map<Integer, ResourceLimit> resourceLimits;
  private final @Nullable CommandGroups groups;
  private final Consumer<CommandGroups> done;
  private final @Nullable BitSet processors;
  private @Nullable Watchdog watchdog;
  private boolean closed;

  /**
   * Limits of a command that has not begun.
   *
   * @param watched what a watchdog looks at
   * @param pidNamespace whether its processes are told by a namespace of their own
   * @param groups those that it joins, if any
   * @param done who takes them back
   */
  LimitGroup(
      Posix posix,
      Budget budget,
      Set<Limit> watched,
      boolean pidNamespace,
      Map<Integer, ResourceLimit> resourceLimits,
      @Nullable CommandGroups groups,
      Consumer<CommandGroups> done,
      @Nullable BitSet processors) {
    this.posix = posix;
    this.budget = budget;
    this.watched = watched;
    this.pidNamespace = pidNamespace;
    this.resourceLimits = resourceLimits;
    this.groups = groups;
    this.done = done;
    this.processors = processors;
  }

  /**
   * Descriptors that the first process of the sandbox writes {@code 0} to, to join its groups; they
   * stay open until {@link #started} or {@link #close}.
   */
  public List<Integer> joins() {
    return groups == null ? List.of() : groups.joins();
  }

  /** For {@code setrlimit(2)} in the command, in this order, by the number of the resource. */
  public Map<Integer, ResourceLimit> resourceLimits() {
    return resourceLimits;
  }

  /** Whether {@link #ready} waits for another process, so that it must not hold up a loop. */
  public boolean isReadySlowly() {
    return groups != null && groups.needsMove();
  }

  /** Whether {@link #sample} has anything to look at. */
  public boolean needsSamples() {
    return groups != null || !watched.isEmpty();
  }

  /** A descriptor that is readable when it is time for a {@link #sample} at once, or -1. */
  public int event() {
    return groups == null ? -1 : groups.oomEvent();
  }

  /**
   * The sandbox stands and nothing of the command has run yet.
   *
   * @param initPid the first process of the sandbox as this process sees it
   * @param home the home directory inside, which may be a private one
   * @throws SandboxSetupException if it could not be put into its groups
   */
  public void ready(int initPid, UnixPath home) {
    if (groups != null) {
      groups.closeJoins();
      try {
        groups.move(initPid);
      } catch (BusException e) {
        throw new SandboxSetupException(
            "joining the control groups", null, String.valueOf(e.getMessage()), e);
      }
    }
    if (processors != null) {
      posix.setProcessors(initPid, processors);
    }
    if (!watched.isEmpty()) {
      watchdog = new Watchdog(posix, budget, watched, initPid, pidNamespace ? home : null);
    }
  }

  /** Looks at what the command uses now. */
  public Sample sample() {
    Sample found = groups == null ? Sample.NEVER_AGAIN : groups.sample();
    return watchdog == null ? found : found.and(watchdog.sample());
  }

  /**
   * The limits that are known to have refused or ended something; called when all has ended.
   *
   * @param signal the signal that ended the command, or 0
   * @param cpuMicros processor time of the command as the kernel told its parent, or -1
   */
  public Set<Limit> hit(int signal, long cpuMicros) {
    Set<Limit> hit = EnumSet.noneOf(Limit.class);
    if (groups != null) {
      if (groups.outOfMemory()) {
        hit.add(Limit.MEMORY);
      }
      if (groups.refusedProcesses()) {
        hit.add(Limit.PROCESSES);
      }
    }
    if (budget.maxFileSize().isPresent() && signal == Constants.SIGXFSZ) {
      hit.add(Limit.FILE_SIZE);
    }
    if (budget.cpuSeconds().isPresent() && cpuLimitReached(signal, cpuMicros)) {
      hit.add(Limit.CPU_SECONDS);
    }
    return hit;
  }

  /**
   * A signal of RLIMIT_CPU comes by a count of whole ticks, which may run well ahead of the time
   * that the kernel tells afterwards: SIGXCPU at the limit, SIGKILL a second later.
   */
  private boolean cpuLimitReached(int signal, long cpuMicros) {
    long allowed = budget.cpuSeconds().orElseThrow() * 1_000_000;
    long least =
        switch (signal) {
          case Constants.SIGXCPU -> allowed / 10 * 7;
          case Constants.SIGKILL -> Math.min(allowed, (allowed + 1_000_000) / 10 * 7);
          default -> allowed;
        };
    long counted = groups == null ? -1 : groups.cpuNanos() / 1_000;
    return Math.max(counted, cpuMicros) >= least;
  }

  /**
   * Processor time of the tree in microseconds, from the best source; empty where nothing counted
   * it.
   *
   * @param told processor time of the command as the kernel told its parent, or -1
   */
  public OptionalLong cpuMicros(long told) {
    long nanos = groups == null ? -1 : known(groups::cpuNanos);
    long micros = nanos < 0 ? told : nanos / 1_000;
    if (micros < 0 && watchdog != null) {
      micros = watchdog.cpuMicros();
    }
    return micros < 0 ? OptionalLong.empty() : OptionalLong.of(micros);
  }

  /** The most memory that the tree used at once, in bytes; empty where nothing counted it. */
  public OptionalLong peakBytes() {
    long peak = groups == null ? -1 : known(groups::peakBytes);
    if (peak < 0 && watchdog != null) {
      peak = watchdog.peakBytes();
    }
    return peak < 0 ? OptionalLong.empty() : OptionalLong.of(peak);
  }

  /** A figure that cannot be read is unknown, and no reason to lose a command's result. */
  private static long known(LongSupplier figure) {
    try {
      return figure.getAsLong();
    } catch (PosixException e) {
      return -1;
    }
  }

  /** Gives the groups up; harmless to repeat. */
  @Override
  public void close() {
    if (watchdog != null) {
      watchdog.close();
      watchdog = null;
    }
    if (groups != null && !closed) {
      closed = true;
      done.accept(groups);
    }
  }
}
