package io.zett.sandbox.backend.bubblewrap;

import io.zett.sandbox.posix.Architecture;
import java.util.Locale;

/**
 * The system calls that the seccomp program looks at, with their numbers.
 *
 * <p>Sources: {@code arch/x86/entry/syscalls/syscall_64.tbl} and {@code
 * include/uapi/asm-generic/unistd.h} of Linux 6.17. {@link #NONE}: the architecture has no such
 * call.
 */
public enum SystemCall {
  ACCT(163, 89),
  ADD_KEY(248, 217),
  BPF(321, 280),
  CHMOD(90, SystemCall.NONE),
  CHROOT(161, 51),
  CLOCK_ADJTIME(305, 266),
  CLOCK_SETTIME(227, 112),
  CLONE(56, 220),
  CLONE3(435, 435),
  CREAT(85, SystemCall.NONE),
  CREATE_MODULE(174, SystemCall.NONE),
  DELETE_MODULE(176, 106),
  FANOTIFY_INIT(300, 262),
  FCHMOD(91, 52),
  FCHMODAT(268, 53),
  FCHMODAT2(452, 452),
  FINIT_MODULE(313, 273),
  FSCONFIG(431, 431),
  FSMOUNT(432, 432),
  FSOPEN(430, 430),
  FSPICK(433, 433),
  INIT_MODULE(175, 105),
  IOCTL(16, 29),
  IOPERM(173, SystemCall.NONE),
  IOPL(172, SystemCall.NONE),
  IO_URING_ENTER(426, 426),
  IO_URING_REGISTER(427, 427),
  IO_URING_SETUP(425, 425),
  KEXEC_FILE_LOAD(320, 294),
  KEXEC_LOAD(246, 104),
  KEYCTL(250, 219),
  LOOKUP_DCOOKIE(212, 18),
  MKNOD(133, SystemCall.NONE),
  MKNODAT(259, 33),
  MOUNT(165, 40),
  MOUNT_SETATTR(442, 442),
  MOVE_MOUNT(429, 429),
  NFSSERVCTL(180, 42),
  OPEN(2, SystemCall.NONE),
  OPENAT(257, 56),
  OPENAT2(437, 437),
  OPEN_BY_HANDLE_AT(304, 265),
  OPEN_TREE(428, 428),
  OPEN_TREE_ATTR(467, 467),
  PERF_EVENT_OPEN(298, 241),
  PIVOT_ROOT(155, 41),
  QUOTACTL(179, 60),
  QUOTACTL_FD(443, 443),
  REBOOT(169, 142),
  REQUEST_KEY(249, 218),
  SETNS(308, 268),
  SETTIMEOFDAY(164, 170),
  SOCKET(41, 198),
  SOCKETPAIR(53, 199),
  SWAPOFF(168, 225),
  SWAPON(167, 224),
  SYSLOG(103, 116),
  UMOUNT2(166, 39),
  UNSHARE(272, 97),
  USELIB(134, SystemCall.NONE),
  USERFAULTFD(323, 282),
  VHANGUP(153, 58);

  /** Where an architecture does not have the call. */
  public static final int NONE = -1;

  private final int onX8664;
  private final int onAarch64;

  SystemCall(int onX8664, int onAarch64) {
    this.onX8664 = onX8664;
    this.onAarch64 = onAarch64;
  }

  /** The call's number there, or {@link #NONE}. */
  public int number(Architecture architecture) {
    return switch (architecture) {
      case X86_64 -> onX8664;
      case AARCH64 -> onAarch64;
      case OTHER -> NONE;
    };
  }

  /** The name as its manual page has it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
