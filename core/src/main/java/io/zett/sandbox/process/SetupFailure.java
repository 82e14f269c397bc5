package io.zett.sandbox.process;

/** The sandbox of a command could not be built; the command did not run. */
public final class SetupFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String step;
  private final int errno;
  private final String detail;

  /**
   * A failure.
   *
   * @param step what was being done, e.g. {@code change to the directory}
   * @param errno the kernel's error number, 0 when there is none
   * @param detail what is known, for people; may be several lines of the launcher's
   */
  public SetupFailure(String step, int errno, String detail) {
    super(step + ": " + detail);
    this.step = step;
    this.errno = errno;
    this.detail = detail;
  }

  /** The same with what the launcher said, if it said anything. */
  SetupFailure withComplaint(String complaint) {
    if (complaint.isEmpty() || detail.contains(complaint)) {
      return this;
    }
    SetupFailure longer = new SetupFailure(step, errno, detail + "\n" + complaint);
    longer.setStackTrace(getStackTrace());
    if (getCause() != null) {
      longer.initCause(getCause());
    }
    return longer;
  }

  /** What was being done. */
  public String step() {
    return step;
  }

  /** The kernel's error number, 0 when there is none. */
  public int errno() {
    return errno;
  }

  /** What is known, for people. */
  public String detail() {
    return detail;
  }
}
