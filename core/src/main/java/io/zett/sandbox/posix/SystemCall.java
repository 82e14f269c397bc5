package io.zett.sandbox.posix;

import java.util.Locale;

/** System call numbers: asm/unistd_64.h for x86-64, asm-generic/unistd.h for AArch64. */
enum SystemCall {
  READ(0, 63),
  WRITE(1, 64),
  CLOSE(3, 57),
  LSEEK(8, 62),
  IOCTL(16, 29),
  PREAD64(17, 67),
  PWRITE64(18, 68),
  GETPID(39, 172),
  SOCKET(41, 198),
  SENDTO(44, 206),
  RECVFROM(45, 207),
  RECVMSG(47, 212),
  SHUTDOWN(48, 210),
  SOCKETPAIR(53, 199),
  SETSOCKOPT(54, 208),
  WAIT4(61, 260),
  KILL(62, 129),
  UNAME(63, 160),
  FCNTL(72, 25),
  FLOCK(73, 32),
  FTRUNCATE(77, 46),
  FCHMOD(91, 52),
  FCHOWN(93, 55),
  GETUID(102, 174),
  GETGID(104, 176),
  GETEUID(107, 175),
  GETEGID(108, 177),
  GETPPID(110, 173),
  GETGROUPS(115, 158),
  FSTATFS(138, 44),
  SETXATTR(188, 5),
  FSETXATTR(190, 7),
  FGETXATTR(193, 10),
  SCHED_SETAFFINITY(203, 122),
  SCHED_GETAFFINITY(204, 123),
  GETDENTS64(217, 61),
  EPOLL_CTL(233, 21),
  WAITID(247, 95),
  INOTIFY_ADD_WATCH(254, 27),
  INOTIFY_RM_WATCH(255, 28),
  OPENAT(257, 56),
  MKDIRAT(258, 34),
  UNLINKAT(263, 35),
  LINKAT(265, 37),
  SYMLINKAT(266, 36),
  READLINKAT(267, 78),
  FCHMODAT(268, 53),
  FACCESSAT(269, 48),
  SPLICE(275, 76),
  UTIMENSAT(280, 88),
  EPOLL_PWAIT(281, 22),
  EVENTFD2(290, 19),
  EPOLL_CREATE1(291, 20),
  PIPE2(293, 59),
  INOTIFY_INIT1(294, 26),
  PRLIMIT64(302, 261),
  RENAMEAT2(316, 276),
  GETRANDOM(318, 278),
  MEMFD_CREATE(319, 279),
  STATX(332, 291),
  PIDFD_SEND_SIGNAL(424, 424),
  PIDFD_OPEN(434, 434),
  OPENAT2(437, 437),
  PIDFD_GETFD(438, 438),
  FACCESSAT2(439, 439),
  LANDLOCK_CREATE_RULESET(444, 444);

  final int x86;
  final int arm;
  final int number;

  SystemCall(int x86, int arm) {
    this.x86 = x86;
    this.arm = arm;
    this.number = Architecture.current() == Architecture.AARCH64 ? arm : x86;
  }

  /** The name as the manual pages spell it. */
  String callName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
