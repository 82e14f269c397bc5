package io.zett.sandbox.limits;

import io.zett.sandbox.Limit;
import io.zett.sandbox.posix.ResourceLimit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;

/** The limits of single processes, setrlimit(2), by the number of the resource (asm/resource.h). */
final class ResourceLimits {
  private static final int CPU = 0;
  private static final int FILE_SIZE = 1;
  private static final int CORE = 4;
  private static final int PROCESSES = 6;
  private static final int OPEN_FILES = 7;
  private static final int ADDRESS_SPACE = 9;

  /**
   * No core file of more than one byte. Exactly 1 and not 0: when the kernel pipes core files to a
   * program of the host, only 1 keeps it from starting that program (fs/coredump.c).
   */
  private static final ResourceLimit NO_CORE = new ResourceLimit(1, 1);

  private final IntFunction<ResourceLimit> inherited;
  private final Map<Integer, ResourceLimit> limits = new LinkedHashMap<>();

  private ResourceLimits(IntFunction<ResourceLimit> inherited) {
    this.inherited = inherited;
  }

  /**
   * For one command, in the order in which they are to be set.
   *
   * @param budget what is asked for
   * @param kept which of the limits are to be kept this way
   * @param cpuIsCounted whether processor time is counted exactly besides
   * @param inherited this process's own limits: a hard one can be lowered only
   */
  static Map<Integer, ResourceLimit> of(
      Budget budget, Set<Limit> kept, boolean cpuIsCounted, IntFunction<ResourceLimit> inherited) {
    ResourceLimits made = new ResourceLimits(inherited);
    made.limits.put(CORE, NO_CORE);
    if (kept.contains(Limit.CPU_SECONDS)) {
      long seconds = budget.cpuSeconds().orElseThrow();
      // The kernel compares it with a count in whole ticks, which on a busy virtual machine is a
      // fifth more than the time really had. So where that is counted, this is only a second line.
      seconds += cpuIsCounted ? seconds / 2 + 1 : 0;
      // SIGXCPU at the soft limit can be trapped; the SIGKILL at the hard one cannot.
      made.put(CPU, seconds, seconds + 1);
    }
    budget.maxFileSize().ifPresent(bytes -> made.put(FILE_SIZE, bytes, bytes));
    if (kept.contains(Limit.PROCESSES)) {
      made.put(PROCESSES, budget.mostTasks(), budget.mostTasks());
    }
    if (kept.contains(Limit.MEMORY)) {
      long bytes = budget.memory().orElseThrow();
      made.put(ADDRESS_SPACE, bytes, bytes);
    }
    // Last: with few descriptors left nothing more can be opened.
    budget.openFiles().ifPresent(files -> made.put(OPEN_FILES, files, files));
    return made.limits;
  }

  /** Never above what this process was given itself: the kernel would refuse it. */
  private void put(int resource, long soft, long hard) {
    long most = inherited.apply(resource).hard();
    limits.put(resource, new ResourceLimit(smaller(soft, most), smaller(hard, most)));
  }

  private static long smaller(long one, long other) {
    return Long.compareUnsigned(one, other) < 0 ? one : other;
  }
}
