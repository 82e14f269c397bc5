package io.zett.sandbox;

/**
 * A bound that a policy can set for each command. The time limit is none of them: see {@link
 * Outcome.TimedOut}.
 */
public enum Limit {
  /** Memory that the command and everything it starts use together. */
  MEMORY,

  /** Share of processors, in cores. */
  CPUS,

  /** Total processor time of the command's whole tree. */
  CPU_SECONDS,

  /** Processes that the command may add. */
  PROCESSES,

  /** Largest file that any process may create. */
  FILE_SIZE,

  /** Descriptors that a process may hold open. */
  OPEN_FILES,

  /** Size of {@code /tmp}, {@code /var/tmp}, {@code /dev/shm} and a private home. */
  SCRATCH_SIZE;

  /**
   * The constant for the word that stands for it on the command line and in a policy file.
   *
   * @param text the word; case is ignored, {@code -} and {@code _} are the same
   * @throws IllegalArgumentException if there is none; the text lists the words and, for a typing
   *     error, the one that was probably meant
   */
  public static Limit of(String text) {
    return Choice.of(Limit.class, "limit", text);
  }

  /** The word that stands for this constant on the command line and in JSON, in lower case. */
  public String wireName() {
    return Choice.word(this);
  }
}
