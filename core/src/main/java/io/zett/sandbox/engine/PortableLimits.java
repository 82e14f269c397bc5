package io.zett.sandbox.engine;

import io.zett.sandbox.Enforcement;
import io.zett.sandbox.Enforcement.Level;
import io.zett.sandbox.Enforcement.Scope;
import io.zett.sandbox.Limit;
import io.zett.sandbox.MemoryStrategy;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxUnavailableException;
import java.util.EnumMap;
import java.util.Map;

/** What is enforced of each limit where the JDK starts commands. */
final class PortableLimits {
  private static final String WATCHDOG = "watchdog";

  private PortableLimits() {}

  /**
   * Refuses a way of limiting memory that is asked for by name and is not there.
   *
   * @param watchdog whether there is a watchdog for memory
   */
  static void refuse(SandboxPolicy policy, boolean watchdog) {
    MemoryStrategy wanted = policy.memoryStrategy();
    boolean had = wanted == MemoryStrategy.AUTO || (wanted == MemoryStrategy.WATCHDOG && watchdog);
    if (!had) {
      throw new SandboxUnavailableException(
          "memoryStrategy: " + wanted.wireName() + " cannot be had on this system",
          "use the strategy auto; capabilities() tells what it gives");
    }
  }

  /** On Windows. */
  static Map<Limit, Enforcement> windows() {
    Map<Limit, Enforcement> limits = counted();
    limits.put(
        Limit.MEMORY,
        Enforcement.none(
            "the JDK does not tell what other processes have in memory, and this"
                + " version makes no job objects"));
    limits.put(Limit.FILE_SIZE, Enforcement.none("Windows has no such limit"));
    limits.put(Limit.OPEN_FILES, Enforcement.none("Windows has no such limit"));
    return limits;
  }

  /**
   * On a Unix.
   *
   * @param table whether there is a list of processes
   */
  static Map<Limit, Enforcement> unix(boolean table) {
    Map<Limit, Enforcement> limits = counted();
    limits.put(
        Limit.MEMORY,
        table
            ? partly(
                WATCHDOG,
                "what ps tells is added up every 0.1 s, pages that several share several times; a"
                    + " quick command passes")
            : Enforcement.none("there is no ps in /bin or /usr/bin to count with"));
    limits.put(
        Limit.CPU_SECONDS,
        partly(
            "watchdog, RLIMIT_CPU",
            "what is seen every 0.1 s of the processes is added up; a process that lives shorter"
                + " may escape the count, and none runs for more than a second longer"));
    limits.put(
        Limit.FILE_SIZE,
        each("RLIMIT_FSIZE", "the kernel refuses to let a file grow beyond it, to the next block"));
    limits.put(
        Limit.OPEN_FILES,
        each("RLIMIT_NOFILE", "the kernel refuses more descriptors in any one process"));
    return limits;
  }

  private static Map<Limit, Enforcement> counted() {
    Map<Limit, Enforcement> limits = new EnumMap<>(Limit.class);
    limits.put(Limit.CPUS, Enforcement.none("nothing here shares out processors"));
    limits.put(
        Limit.CPU_SECONDS,
        partly(
            WATCHDOG,
            "what is seen every 0.1 s of the processes is added up; a process that lives shorter"
                + " may escape the count"));
    limits.put(
        Limit.PROCESSES,
        partly(
            WATCHDOG,
            "counted every 0.1 s, without threads and without what has detached unseen, and then"
                + " the command is ended"));
    limits.put(
        Limit.SCRATCH_SIZE,
        Enforcement.none("scratch files are ordinary files without a bound here"));
    return limits;
  }

  private static Enforcement partly(String mechanism, String detail) {
    return new Enforcement(mechanism, Scope.TREE, Level.PARTIAL, detail);
  }

  private static Enforcement each(String mechanism, String detail) {
    return new Enforcement(mechanism, Scope.PROCESS, Level.FULL, detail);
  }
}
