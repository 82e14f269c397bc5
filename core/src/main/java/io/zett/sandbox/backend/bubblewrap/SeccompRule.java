package io.zett.sandbox.backend.bubblewrap;

import java.util.List;

/**
 * One row of the table of refused system calls.
 *
 * @param calls the calls it is about
 * @param tests all must hold for the refusal; none: always refused
 * @param refusal the error that the caller gets
 * @param why the reason, for people
 */
public record SeccompRule(
    List<SystemCall> calls, List<ArgumentTest> tests, Refusal refusal, String why) {

  public SeccompRule {
    calls = List.copyOf(calls);
    tests = List.copyOf(tests);
  }

  /** The errors that calls are refused with, and their numbers on Linux. */
  public enum Refusal {
    EPERM(1),
    ENOSYS(38),
    EPROTONOSUPPORT(93),
    EAFNOSUPPORT(97);

    private static final int SECCOMP_RET_ERRNO = 0x00050000;

    private final int errno;

    Refusal(int errno) {
      this.errno = errno;
    }

    /** The error's number. */
    public int errno() {
      return errno;
    }

    /** What the program returns to the kernel. */
    int action() {
      return SECCOMP_RET_ERRNO | errno;
    }
  }
}
