package io.zett.sandbox.process;

import io.zett.sandbox.posix.UnixPath;
import org.jspecify.annotations.Nullable;

/** The sandbox of a command could not be built; the command did not run. */
public final class SetupFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String step;
  private final @Nullable UnixPath path;
  private final int errno;
  private final String detail;

  /**
   * A failure.
   *
   * @param step what was being done, e.g. {@code fork}
   * @param errno the kernel's error number, 0 when there is none
   * @param detail what is known, for people; may be several lines of the launcher's
   */
  public SetupFailure(String step, int errno, String detail) {
    this(step, null, errno, detail);
  }

  /** A failure that is about a path. */
  SetupFailure(String step, @Nullable UnixPath path, int errno, String detail) {
    super(step + ": " + (path == null ? "" : path + ": ") + detail);
    this.step = step;
    this.path = path;
    this.errno = errno;
    this.detail = detail;
  }

  /** The same with what the launcher said, if it said anything. */
  SetupFailure withComplaint(String complaint) {
    if (complaint.isEmpty() || detail.contains(complaint)) {
      return this;
    }
    SetupFailure longer = new SetupFailure(step, path, errno, detail + "\n" + complaint);
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

  /** What it was about; null when it was about no path. */
  public @Nullable UnixPath path() {
    return path;
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
