package io.zett.sandbox.process;

import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.posix.Waited;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is known about a command's end, put together as it comes in. */
final class Account {

  private static final String SET_UP = "set up the sandbox";

  private long spawnedAt;
  private long tokenAt;
  private long endedAt;
  private boolean hasToken;
  private boolean hasEnded;
  private @Nullable Integer status;
  private int execErrno;
  private Ending.@Nullable How cause;
  private Ending.Usage usage = Ending.Usage.UNKNOWN;

  void spawning() {
    spawnedAt = System.nanoTime();
  }

  void tokenSent() {
    tokenAt = System.nanoTime();
    hasToken = true;
  }

  void exited(int rawStatus) {
    status = rawStatus;
    ended();
  }

  boolean hasExited() {
    return status != null;
  }

  /** The command is over; the first time counts. */
  void ended() {
    if (!hasEnded) {
      hasEnded = true;
      endedAt = System.nanoTime();
    }
  }

  void execFailed(int errno) {
    execErrno = errno;
  }

  void used(long userMicros, long systemMicros, long maxRssKib) {
    usage = new Ending.Usage(userMicros, systemMicros, maxRssKib);
  }

  /** Why it will have ended, unless it turns out that it had by itself; the first cause counts. */
  void blame(Ending.How how) {
    if (cause == null) {
      cause = how;
    }
  }

  /** Whether the launcher's words belong into the ending. */
  boolean needsComplaint() {
    return status == null && (cause == null || cause instanceof Ending.SetupFailed);
  }

  Ending ending(String complaint, @Nullable Waited launcher) {
    ended();
    Ending.How how = how(complaint, launcher);
    boolean ran = hasToken && !(how instanceof Ending.SetupFailed);
    long wall = ran ? endedAt - tokenAt : 0;
    long setup = (ran ? tokenAt : endedAt) - spawnedAt;
    // The launcher's own times tell nothing: those of processes that a kill ended are not in them.
    return new Ending(how, wall, setup, usage);
  }

  private Ending.How how(String complaint, @Nullable Waited launcher) {
    if (status != null) {
      return new Ending.Exited(status, execErrno);
    }
    if (cause instanceof Ending.SetupFailed(SetupFailure failure)) {
      return new Ending.SetupFailed(failure.withComplaint(complaint));
    }
    if (cause != null) {
      return cause;
    }
    String detail = join(complaint, launcher);
    return hasToken
        ? new Ending.Lost(detail)
        : new Ending.SetupFailed(new SetupFailure(SET_UP, 0, detail));
  }

  private static String join(String complaint, @Nullable Waited launcher) {
    String fate = "the launcher ended in a way that is not known";
    if (launcher != null) {
      Ending.Exited exited = new Ending.Exited(launcher.status(), 0);
      fate =
          exited.isSignaled()
              ? "the launcher was ended by signal " + exited.signal()
              : "the launcher exited with status " + exited.code();
    }
    return complaint.isEmpty() ? fate : complaint + " (" + fate + ")";
  }

  private static SetupFailure confinement(int errno, long root, @Nullable StartBlock block) {
    String step = "restrict writing with Landlock";
    List<byte[]> roots = block == null ? null : block.onlyWritable();
    return roots == null || root < 0 || root >= roots.size()
        ? new SetupFailure(step, errno, Errno.describe(errno))
        : new SetupFailure(step, UnixPath.of(roots.get((int) root)), errno, Errno.describe(errno));
  }

  private static SetupFailure terminal(int errno, String error) {
    String step = "open a terminal";
    return errno == Errno.ENOSPC
        ? new SetupFailure(
            step,
            0,
            error
                + ": every terminal of the machine is taken; end what holds them, raise"
                + " kernel.pty.max, or bound what a command can take by openFiles")
        : new SetupFailure(step, errno, error);
  }

  private static SetupFailure workingDirectory(int errno, @Nullable StartBlock block) {
    UnixPath path = block == null ? null : UnixPath.of(block.directory());
    return new SetupFailure("working directory", path, errno, Errno.describe(errno));
  }

  /**
   * A failure that zett-init reports.
   *
   * @param block what it was given; null when it was given nothing yet
   */
  static SetupFailure failure(Control.Message message, @Nullable StartBlock block) {
    int errno = (int) message.b();
    String error = Errno.describe(errno);
    return switch ((int) message.a()) {
      case 1 -> new SetupFailure("join the control group", errno, error);
      case 2 -> new SetupFailure("read the command", errno, error);
      case 3 -> new SetupFailure("set up the standard streams", errno, error);
      case 4 -> new SetupFailure("set resource limit " + message.c(), errno, error);
      case 5 -> workingDirectory(errno, block);
      case 6 -> new SetupFailure("start a session", errno, error);
      case 7 -> new SetupFailure("fork", errno, error);
      case 8 -> confinement(errno, message.c(), block);
      case 9 -> terminal(errno, error);
      default -> new SetupFailure("start the command", errno, error);
    };
  }
}
