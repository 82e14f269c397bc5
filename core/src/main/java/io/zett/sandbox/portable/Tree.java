package io.zett.sandbox.portable;

import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The processes of one command, as far as they can be found: the descendants of its first one,
 * those of each that was seen before its parent ended, and the members of its process group where
 * it has one. A handle is a number with the time of its start, so a number that is given out again
 * is never taken for the old process. Thread-safe.
 */
final class Tree {
  private static final System.Logger LOG = System.getLogger("io.zett.sandbox");
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final ProcessHandle root;
  private final @Nullable Instant began;
  private final @Nullable ProcessTable table;
  private final boolean leads;
  private final Set<ProcessHandle> seen = new LinkedHashSet<>();
  private final Map<ProcessHandle, Long> cpuNanos = new HashMap<>();
  private long endedCpuNanos;
  private long residentBytes;

  /**
   * A tree.
   *
   * @param leads whether the first process leads a group of its own
   */
  Tree(ProcessHandle root, @Nullable ProcessTable table, boolean leads) {
    this.root = root;
    this.began = root.info().startInstant().orElse(null);
    this.table = table;
    this.leads = leads;
    seen.add(root);
  }

  /**
   * Looks who is there.
   *
   * @param full with the list of the system, which takes starting a program
   * @throws IOException if that list cannot be had
   */
  synchronized void look(boolean full) throws IOException {
    for (ProcessHandle known : List.copyOf(seen)) {
      known.descendants().forEach(seen::add);
    }
    if (full && table != null) {
      lookAtAll(table.read());
    }
    seen.removeIf(this::forget);
  }

  private void lookAtAll(List<ProcessTable.Line> lines) {
    if (leads) {
      for (ProcessTable.Line line : lines) {
        if (line.group() == root.pid()) {
          ProcessHandle.of(line.pid()).filter(this::isNoOlder).ifPresent(seen::add);
        }
      }
    }
    Set<Long> numbers = new LinkedHashSet<>();
    seen.forEach(each -> numbers.add(each.pid()));
    residentBytes =
        lines.stream()
            .filter(line -> numbers.contains(line.pid()))
            .mapToLong(ProcessTable.Line::residentBytes)
            .sum();
  }

  private boolean isNoOlder(ProcessHandle process) {
    return began == null
        || process.info().startInstant().map(start -> !start.isBefore(began)).orElse(true);
  }

  /** The first process is kept: on Windows, orphans still name it as their parent. */
  private boolean forget(ProcessHandle process) {
    if (isAlive(process)) {
      process
          .info()
          .totalCpuDuration()
          .ifPresent(duration -> cpuNanos.merge(process, duration.toNanos(), Math::max));
      return false;
    }
    Long last = cpuNanos.remove(process);
    endedCpuNanos += last == null ? 0 : last;
    return !process.equals(root);
  }

  /** A dead process that nobody has collected counts as alive for the JDK, but has no program. */
  private static boolean isAlive(ProcessHandle process) {
    return process.isAlive()
        && (process.info().command().isPresent()
            || process.info().totalCpuDuration().isEmpty()
            || process.info().arguments().isPresent());
  }

  /** Processor time of all that was seen, as it was last seen. */
  synchronized long cpuNanos() {
    return endedCpuNanos + cpuNanos.values().stream().mapToLong(Long::longValue).sum();
  }

  /** What the processes had in memory at the last full look. */
  synchronized long residentBytes() {
    return residentBytes;
  }

  /** Processes beside the first one. */
  synchronized int others() {
    return (int) seen.stream().filter(each -> !each.equals(root) && isAlive(each)).count();
  }

  /** Kills all that can be found, and what it starts meanwhile, until nothing is alive. */
  void end() {
    long until = System.nanoTime() + PATIENCE_NANOS;
    long pause = PAUSE_NANOS;
    while (kill() > 0) {
      if (System.nanoTime() - until > 0) {
        LOG.log(
            System.Logger.Level.WARNING,
            "processes of a command did not end when they were killed: {0}",
            numbers());
        return;
      }
      Uninterrupted.pause(pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
    }
  }

  /** How many were alive. */
  synchronized int kill() {
    try {
      look(true);
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "the list of processes cannot be had", e);
    }
    int alive = 0;
    for (ProcessHandle each : seen) {
      if (isAlive(each)) {
        alive++;
        each.destroyForcibly();
      }
    }
    return alive;
  }

  private synchronized List<Long> numbers() {
    return seen.stream().filter(Tree::isAlive).map(ProcessHandle::pid).toList();
  }
}
