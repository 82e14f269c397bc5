package io.zett.sandbox.posix;

/** Flags of the Linux kernel; the few that differ between x86-64 and AArch64 are chosen here. */
public final class Constants {

  private static final boolean ARM = Architecture.current() == Architecture.AARCH64;

  // open(2)
  public static final int O_RDONLY = 0;
  public static final int O_WRONLY = 1;
  public static final int O_RDWR = 2;
  public static final int O_CREAT = 0100;
  public static final int O_EXCL = 0200;
  public static final int O_NOCTTY = 0400;
  public static final int O_TRUNC = 01000;
  public static final int O_APPEND = 02000;
  public static final int O_NONBLOCK = 04000;
  public static final int O_CLOEXEC = 02000000;
  public static final int O_PATH = 010000000;
  public static final int O_DIRECTORY = ARM ? 040000 : 0200000;
  public static final int O_NOFOLLOW = ARM ? 0100000 : 0400000;
  public static final int O_TMPFILE = 020000000 | O_DIRECTORY;

  // *at(2)
  public static final int AT_FDCWD = -100;
  public static final int AT_SYMLINK_NOFOLLOW = 0x100;
  public static final int AT_REMOVEDIR = 0x200;
  public static final int AT_EACCESS = 0x200;
  public static final int AT_SYMLINK_FOLLOW = 0x400;
  public static final int AT_EMPTY_PATH = 0x1000;
  public static final int RENAME_NOREPLACE = 1;
  public static final int RENAME_EXCHANGE = 2;
  public static final int R_OK = 4;
  public static final int W_OK = 2;
  public static final int X_OK = 1;
  public static final int F_OK = 0;

  // openat2(2)
  public static final long RESOLVE_NO_XDEV = 1;
  public static final long RESOLVE_NO_MAGICLINKS = 2;
  public static final long RESOLVE_NO_SYMLINKS = 4;
  public static final long RESOLVE_BENEATH = 8;
  public static final long RESOLVE_IN_ROOT = 16;

  // stat(2)
  public static final int S_IFMT = 0170000;
  public static final int S_IFSOCK = 0140000;
  public static final int S_IFLNK = 0120000;
  public static final int S_IFREG = 0100000;
  public static final int S_IFBLK = 0060000;
  public static final int S_IFDIR = 0040000;
  public static final int S_IFCHR = 0020000;
  public static final int S_IFIFO = 0010000;

  // getdents64(2)
  public static final byte DT_UNKNOWN = 0;
  public static final byte DT_FIFO = 1;
  public static final byte DT_CHR = 2;
  public static final byte DT_DIR = 4;
  public static final byte DT_BLK = 6;
  public static final byte DT_REG = 8;
  public static final byte DT_LNK = 10;
  public static final byte DT_SOCK = 12;

  // fcntl(2), flock(2), setxattr(2)
  public static final int F_GETFD = 1;
  public static final int F_SETFD = 2;
  public static final int F_GETFL = 3;
  public static final int F_SETFL = 4;
  public static final int FD_CLOEXEC = 1;
  public static final int F_DUPFD_CLOEXEC = 1030;
  public static final int F_SETPIPE_SZ = 1031;
  public static final int F_GETPIPE_SZ = 1032;
  public static final int F_ADD_SEALS = 1033;
  public static final int F_GET_SEALS = 1034;
  public static final int F_SEAL_SEAL = 1;
  public static final int F_SEAL_SHRINK = 2;
  public static final int F_SEAL_GROW = 4;
  public static final int F_SEAL_WRITE = 8;
  public static final int LOCK_SH = 1;
  public static final int LOCK_EX = 2;
  public static final int LOCK_NB = 4;
  public static final int LOCK_UN = 8;
  public static final int XATTR_CREATE = 1;
  public static final int XATTR_REPLACE = 2;

  // memfd_create(2)
  public static final int MFD_CLOEXEC = 1;
  public static final int MFD_ALLOW_SEALING = 2;
  public static final int MFD_NOEXEC_SEAL = 8;
  public static final int MFD_EXEC = 16;

  // splice(2)
  public static final int SPLICE_F_MOVE = 1;
  public static final int SPLICE_F_NONBLOCK = 2;

  // sockets
  public static final int AF_UNIX = 1;
  public static final int AF_NETLINK = 16;
  public static final int NETLINK_SOCK_DIAG = 4;
  public static final int SOCK_STREAM = 1;
  public static final int SOCK_DGRAM = 2;
  public static final int SOCK_RAW = 3;
  public static final int SOCK_SEQPACKET = 5;
  public static final int SOL_SOCKET = 1;
  public static final int SO_PASSCRED = 16;
  public static final int SCM_RIGHTS = 1;
  public static final int SCM_CREDENTIALS = 2;
  public static final int TIOCSWINSZ = 0x5414;
  public static final int MSG_PEEK = 2;
  public static final int MSG_DONTWAIT = 0x40;
  public static final int MSG_NOSIGNAL = 0x4000;
  public static final int MSG_CMSG_CLOEXEC = 0x40000000;
  public static final int SIOCUNIXFILE = 0x89e0;
  public static final int SHUT_RD = 0;
  public static final int SHUT_WR = 1;
  public static final int SHUT_RDWR = 2;

  // epoll(7), eventfd(2), inotify(7)
  public static final int EPOLL_CTL_ADD = 1;
  public static final int EPOLL_CTL_DEL = 2;
  public static final int EPOLL_CTL_MOD = 3;
  public static final int EPOLLIN = 1;
  public static final int EPOLLPRI = 2;
  public static final int EPOLLOUT = 4;
  public static final int EPOLLERR = 8;
  public static final int EPOLLHUP = 0x10;
  public static final int EPOLLRDHUP = 0x2000;
  public static final int IN_MODIFY = 2;
  public static final int IN_ATTRIB = 4;
  public static final int IN_MOVED_FROM = 0x40;
  public static final int IN_MOVED_TO = 0x80;
  public static final int IN_CREATE = 0x100;
  public static final int IN_DELETE = 0x200;
  public static final int IN_DELETE_SELF = 0x400;
  public static final int IN_MOVE_SELF = 0x800;
  public static final int IN_UNMOUNT = 0x2000;
  public static final int IN_Q_OVERFLOW = 0x4000;
  public static final int IN_IGNORED = 0x8000;
  public static final int IN_MASK_ADD = 0x20000000;
  public static final int IN_ONLYDIR = 0x01000000;
  public static final int IN_DONT_FOLLOW = 0x02000000;

  // signals and waiting
  public static final int SIGHUP = 1;
  public static final int SIGINT = 2;
  public static final int SIGQUIT = 3;
  public static final int SIGKILL = 9;
  public static final int SIGPIPE = 13;
  public static final int SIGTERM = 15;
  public static final int SIGCONT = 18;
  public static final int SIGSTOP = 19;
  public static final int SIGXCPU = 24;
  public static final int SIGXFSZ = 25;
  public static final int WNOHANG = 1;
  public static final int WUNTRACED = 2;
  public static final int WEXITED = 4;
  public static final int WNOWAIT = 0x01000000;

  // prlimit(2)
  public static final int RLIMIT_CPU = 0;
  public static final int RLIMIT_FSIZE = 1;
  public static final int RLIMIT_DATA = 2;
  public static final int RLIMIT_STACK = 3;
  public static final int RLIMIT_CORE = 4;
  public static final int RLIMIT_NPROC = 6;
  public static final int RLIMIT_NOFILE = 7;
  public static final int RLIMIT_AS = 9;
  public static final long RLIM_INFINITY = -1L;

  // sysconf(3), as glibc and musl number them
  public static final int SC_CLK_TCK = 2;
  public static final int SC_PAGESIZE = 30;
  public static final int SC_NPROCESSORS_ONLN = 84;

  private Constants() {}
}
