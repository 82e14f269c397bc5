package io.zett.sandbox.limits;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Ends what still lives in a group that nobody owns any more, and removes the group. */
final class Remains {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private Remains() {}

  /** False when it could not be removed within two seconds. */
  static boolean endAndRemove(Posix posix, UnixPath group) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      try {
        posix.unlinkat(Constants.AT_FDCWD, group.bytes(), Constants.AT_REMOVEDIR);
        return true;
      } catch (PosixException e) {
        if (e.errno() == Errno.ENOENT) {
          return true;
        }
        if (e.errno() != Errno.EBUSY || System.nanoTime() - deadline > 0) {
          return false;
        }
      }
      endProcesses(posix, group);
      // The kernel has no event for "this directory can be removed now".
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private static void endProcesses(Posix posix, UnixPath group) {
    UnixPath kill = group.resolve("cgroup.kill");
    if (ControlFile.exists(posix, kill)) { // version 2, kernel 5.14
      try {
        ControlFile.write(posix, kill, "1");
        return;
      } catch (PosixException e) {
        // Gone meanwhile, or not ours: the list below tells.
      }
    }
    UnixPath list = group.resolve("cgroup.procs");
    for (String line : ControlFile.readIfAny(posix, list).split("\n")) {
      long pid = ControlFile.number(line);
      if (pid > 1) { // 0 stands for a process of another pid namespace
        end(posix, list, (int) pid);
      }
    }
  }

  /** The pid may be another's by now: it is looked up again once a descriptor holds the process. */
  private static void end(Posix posix, UnixPath list, int pid) {
    int pidfd;
    try {
      pidfd = posix.pidfdOpen(pid, 0);
    } catch (PosixException e) {
      return;
    }
    try {
      String now = "\n" + ControlFile.readIfAny(posix, list);
      if (now.contains("\n" + pid + "\n")) {
        posix.pidfdSendSignal(pidfd, Constants.SIGKILL);
      }
    } finally {
      posix.close(pidfd);
    }
  }
}
