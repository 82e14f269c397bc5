package io.zett.sandbox.limits;

import io.zett.sandbox.Limit;
import io.zett.sandbox.posix.ResourceLimit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

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

  private ResourceLimits() {}

  /**
   * For one command.
   *
   * @param budget what is asked for
   * @param kept which of the limits are to be kept this way
   */
  static Map<Integer, ResourceLimit> of(Budget budget, Set<Limit> kept) {
    Map<Integer, ResourceLimit> limits = new LinkedHashMap<>();
    limits.put(CORE, NO_CORE);
    if (kept.contains(Limit.CPU_SECONDS)) {
      long seconds = budget.cpuSeconds().orElseThrow();
      // SIGXCPU at the soft limit can be trapped; the SIGKILL at the hard one cannot.
      limits.put(CPU, new ResourceLimit(seconds, seconds + 1));
    }
    budget.maxFileSize().ifPresent(bytes -> limits.put(FILE_SIZE, both(bytes)));
    if (kept.contains(Limit.PROCESSES)) {
      limits.put(PROCESSES, both(budget.mostTasks()));
    }
    if (kept.contains(Limit.MEMORY)) {
      limits.put(ADDRESS_SPACE, both(budget.memory().orElseThrow()));
    }
    // Last: with few descriptors left nothing more can be opened.
    budget.openFiles().ifPresent(files -> limits.put(OPEN_FILES, both(files)));
    return limits;
  }

  private static ResourceLimit both(long value) {
    return new ResourceLimit(value, value);
  }
}
