package io.zett.sandbox.posix;

/** A system call that failed; the message is like {@code open /x: Permission denied (EACCES)}. */
public final class PosixException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int errno;
  private final String call;

  /** A failure of {@code call} on {@code subject} (may be empty) with an {@link Errno} number. */
  public PosixException(int errno, String call, String subject) {
    super(call + (subject.isEmpty() ? "" : " " + subject) + ": " + Errno.describe(errno));
    this.errno = errno;
    this.call = call;
  }

  /** The kernel's error number, see {@link Errno}. */
  public int errno() {
    return errno;
  }

  /**
   * Whether the kernel lacked descriptors or memory for the call. Then it says nothing about what
   * the call was for: a file that could not be opened for this reason may well be there.
   */
  public boolean isShortage() {
    return errno == Errno.EMFILE || errno == Errno.ENFILE || errno == Errno.ENOMEM;
  }

  /** Throws this again if it is a {@linkplain #isShortage shortage}. */
  public void throwIfShortage() {
    if (isShortage()) {
      throw this;
    }
  }

  /** The system call's name. */
  public String call() {
    return call;
  }
}
