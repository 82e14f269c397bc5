package io.zett.sandbox.faults;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Errno;
import java.util.List;

/**
 * The error numbers that the kernel can give for each call on a machine that lacks something, by
 * the manual pages of section 2. {@code EINTR} is not among them: the calls begin again by
 * themselves.
 */
public final class Refusals {

  private static final List<Integer> NO_DESCRIPTOR =
      List.of(Errno.EMFILE, Errno.ENFILE, Errno.ENOMEM);

  private Refusals() {}

  /** Those that fit; none for a call that cannot fail. */
  public static List<Integer> of(PosixCall call) {
    return switch (call.name()) {
      case "open" -> opening((int) call.argument(1));
      case "openat", "openat2" -> opening((int) call.argument(2));
      case "dup",
          "pipe2",
          "socketpair",
          "epollCreate",
          "eventfd",
          "inotifyInit",
          "memfdCreate",
          "pidfdOpen",
          "pidfdGetfd",
          "socket",
          "boundFile" ->
          NO_DESCRIPTOR;
      case "read",
          "pread",
          "getdents",
          "numbers",
          "stat",
          "lstat",
          "statat",
          "fstat",
          "readlink",
          "readlinkat" ->
          List.of(Errno.ENOMEM, Errno.EIO);
      case "write", "pwrite" -> List.of(Errno.ENOSPC, Errno.EIO);
      case "mkdirat", "linkat", "symlinkat", "renameat2", "ftruncate", "setxattr", "fsetxattr" ->
          List.of(Errno.ENOSPC, Errno.EIO, Errno.EDQUOT);
      case "unlinkat", "fgetxattr", "fstatfs", "seek", "utimensat" -> List.of(Errno.EIO);
      case "fchmod", "fchown", "fchmodat" -> List.of(Errno.EPERM, Errno.EIO);
      case "flock",
          "fcntl",
          "ioctlInt",
          "setsockopt",
          "send",
          "recv",
          "receiveWithCredentials",
          "splice",
          "epollWait" ->
          List.of(Errno.ENOMEM);
      case "epollCtl", "inotifyAddWatch" -> List.of(Errno.ENOSPC, Errno.ENOMEM);
      case "spawn" -> List.of(Errno.EAGAIN, Errno.ENOMEM);
      case "kill",
          "pidfdSendSignal",
          "wait4",
          "awaitStopOrDeath",
          "getrlimit",
          "setrlimit",
          "processors",
          "setProcessors" ->
          List.of(Errno.EPERM);
      case "faccessat", "setPipeSize", "reap" -> List.of(Errno.EPERM);
      default -> List.of();
    };
  }

  private static List<Integer> opening(int flags) {
    return (flags & Constants.O_CREAT) == 0
        ? NO_DESCRIPTOR
        : List.of(Errno.EMFILE, Errno.ENOSPC, Errno.ENFILE);
  }

  /** Whether it says that something is short, and nothing about what the call was for. */
  public static boolean isShortage(int errno) {
    return NO_DESCRIPTOR.contains(errno);
  }
}
