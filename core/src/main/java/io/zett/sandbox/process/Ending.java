package io.zett.sandbox.process;

import java.io.IOException;

/**
 * How a command ended; all of its processes are dead and its output is complete.
 *
 * @param how the manner
 * @param wallNanos from the token to the end; 0 when it never started
 * @param setupNanos from the start of the launcher to the token, or to the failure
 * @param usage what it used
 */
public record Ending(How how, long wallNanos, long setupNanos, Usage usage) {

  /** The manner of an end. */
  public sealed interface How {}

  /**
   * It ended by itself.
   *
   * @param status the raw wait status
   * @param execErrno why the program could not be executed (then 126 or 127); 0 when it was
   */
  public record Exited(int status, int execErrno) implements How {
    /** Whether a signal ended it. */
    public boolean isSignaled() {
      return signal() != 0;
    }

    /** The signal that ended it; 0 when none did. */
    public int signal() {
      return status & 0x7f;
    }

    /** The exit status, or 128 and the signal, as a shell tells it. */
    public int code() {
      return isSignaled() ? 128 + signal() : status >> 8 & 0xff;
    }
  }

  /** It was killed at its deadline. */
  public record TimedOut() implements How {}

  /** It was killed from outside, or never started since that came first. */
  public record Ended(EndReason reason) implements How {}

  /** Its sandbox could not be built; it did not run. */
  public record SetupFailed(SetupFailure failure) implements How {}

  /** Its input could not be read, so it was ended. */
  public record InputFailed(IOException cause) implements How {}

  /**
   * Somebody else killed zett-init, e.g. the kernel for want of memory.
   *
   * @param detail what the launcher said
   */
  public record Lost(String detail) implements How {}

  /**
   * Processor time and memory of the command's processes, as zett-init tells when it has waited for
   * them; unknown when it was killed before.
   *
   * @param userMicros in user mode, -1 when unknown
   * @param systemMicros in the kernel, -1 when unknown
   * @param maxRssKib the largest resident set of any one process, -1 when unknown
   */
  public record Usage(long userMicros, long systemMicros, long maxRssKib) {
    static final Usage UNKNOWN = new Usage(-1, -1, -1);
  }
}
