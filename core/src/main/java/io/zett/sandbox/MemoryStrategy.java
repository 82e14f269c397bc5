package io.zett.sandbox;

/**
 * How a memory limit is enforced.
 *
 * <p>A forced strategy that the machine cannot give is an error when the sandbox is opened, never a
 * silent downgrade.
 */
public enum MemoryStrategy {
  /** The strongest that the machine has: {@link #CGROUP}, else {@link #WATCHDOG}. */
  AUTO,

  /** The kernel counts the memory of the whole tree (Linux control groups, version 2 or 1). */
  CGROUP,

  /** The library watches the memory of the tree and ends it when it uses too much. */
  WATCHDOG,

  /**
   * The address space of each process is bounded, which is no total, and which fails programs that
   * reserve far more than they use (Java, Node, Go). Never chosen by itself.
   */
  RLIMIT;

  /**
   * The constant for the word that stands for it on the command line and in a policy file.
   *
   * @param text the word; case is ignored, {@code -} and {@code _} are the same
   * @throws IllegalArgumentException if there is none; the text lists the words and, for a typing
   *     error, the one that was probably meant
   */
  public static MemoryStrategy of(String text) {
    return Choice.of(MemoryStrategy.class, "memoryStrategy", text);
  }

  /** The word that stands for this constant on the command line and in JSON, in lower case. */
  public String wireName() {
    return Choice.word(this);
  }
}
