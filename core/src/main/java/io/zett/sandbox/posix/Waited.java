package io.zett.sandbox.posix;

/**
 * A child's change of state, as {@code wait4(2)} gives it.
 *
 * @param pid the child
 * @param status the raw wait status
 * @param userMicros processor time in user mode, of the child and what it waited for
 * @param systemMicros processor time in the kernel, likewise
 * @param maxRssKib the largest resident set of any one of them, in KiB
 */
public record Waited(int pid, int status, long userMicros, long systemMicros, long maxRssKib) {

  /** Whether the child is stopped, not dead. */
  public boolean isStopped() {
    return (status & 0xff) == 0x7f;
  }
}
