/*
 * The kernel's interface, as far as zett-init needs it: raw system calls for x86-64 and AArch64, and
 * their constants. Nothing here comes from a libc or from the kernel's headers, so that any compiler
 * for the target builds it, also a cross compiler that has no headers of the target at all.
 */
#ifndef ZETT_KERNEL_H
#define ZETT_KERNEL_H

typedef __UINT8_TYPE__ u8;
typedef __UINT16_TYPE__ u16;
typedef __UINT32_TYPE__ u32;
typedef __INT32_TYPE__ s32;
typedef __UINT64_TYPE__ u64;
typedef __INT64_TYPE__ s64;
typedef __SIZE_TYPE__ size_t;
#define NULL ((void *)0)

/* The block is read as the bytes lie; both targets are little-endian with 64-bit longs. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "little-endian targets only");
_Static_assert(sizeof(long) == 8 && sizeof(void *) == 8, "LP64 targets only");

#if defined(__x86_64__)

enum {
  SYS_read = 0,
  SYS_write = 1,
  SYS_close = 3,
  SYS_mmap = 9,
  SYS_rt_sigaction = 13,
  SYS_rt_sigprocmask = 14,
  SYS_ioctl = 16,
  SYS_getpid = 39,
  SYS_sendto = 44,
  SYS_recvfrom = 45,
  SYS_sendmsg = 46,
  SYS_clone = 56,
  SYS_execve = 59,
  SYS_wait4 = 61,
  SYS_kill = 62,
  SYS_chdir = 80,
  SYS_getrusage = 98,
  SYS_getppid = 110,
  SYS_setsid = 112,
  SYS_prctl = 157,
  SYS_getdents64 = 217,
  SYS_exit_group = 231,
  SYS_openat = 257,
  SYS_faccessat = 269,
  SYS_ppoll = 271,
  SYS_signalfd4 = 289,
  SYS_dup3 = 292,
  SYS_pipe2 = 293,
  SYS_prlimit64 = 302,
  O_DIRECTORY = 0200000,
};

__attribute__((always_inline)) static inline long syscall_here(long n, long a, long b, long c,
                                                               long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

/* The kernel starts a program with the argument count and the vectors on the stack. */
__asm__(
    ".text\n"
    ".globl _start\n"
    "_start:\n"
    "  xor %ebp, %ebp\n"
    "  mov %rsp, %rdi\n"
    "  and $-16, %rsp\n"
    "  call start\n"
    "  hlt\n");

#elif defined(__aarch64__)

enum {
  SYS_dup3 = 24,
  SYS_ioctl = 29,
  SYS_faccessat = 48,
  SYS_chdir = 49,
  SYS_openat = 56,
  SYS_close = 57,
  SYS_pipe2 = 59,
  SYS_getdents64 = 61,
  SYS_read = 63,
  SYS_write = 64,
  SYS_ppoll = 73,
  SYS_signalfd4 = 74,
  SYS_exit_group = 94,
  SYS_kill = 129,
  SYS_rt_sigaction = 134,
  SYS_rt_sigprocmask = 135,
  SYS_setsid = 157,
  SYS_getrusage = 165,
  SYS_prctl = 167,
  SYS_getpid = 172,
  SYS_getppid = 173,
  SYS_sendto = 206,
  SYS_recvfrom = 207,
  SYS_sendmsg = 211,
  SYS_clone = 220,
  SYS_execve = 221,
  SYS_mmap = 222,
  SYS_wait4 = 260,
  SYS_prlimit64 = 261,
  O_DIRECTORY = 040000,
};

__attribute__((always_inline)) static inline long syscall_here(long n, long a, long b, long c,
                                                               long d, long e, long f) {
  register long x8 __asm__("x8") = n;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc #0"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                   : "memory", "cc");
  return x0;
}

__asm__(
    ".text\n"
    ".globl _start\n"
    "_start:\n"
    "  mov x29, #0\n"
    "  mov x30, #0\n"
    "  mov x0, sp\n"
    "  bl start\n"
    "  brk #0\n");

#else
#error "zett-init knows x86-64 and AArch64"
#endif

/* Calls younger than the common table have the same number everywhere. */
enum { SYS_pidfd_send_signal = 424, SYS_pidfd_open = 434, SYS_close_range = 436 };

enum {
  EPERM = 1,
  ENOENT = 2,
  EINTR = 4,
  E2BIG = 7,
  ENOEXEC = 8,
  ECHILD = 10,
  EAGAIN = 11,
  ENOMEM = 12,
  EACCES = 13,
  ENODEV = 19,
  ENOTDIR = 20,
  EISDIR = 21,
  EINVAL = 22,
  ETXTBSY = 26,
  ENAMETOOLONG = 36,
  ENOSYS = 38,
  ELOOP = 40,
  EPROTO = 71,
  ETIMEDOUT = 110,
  ESTALE = 116,
};

enum { SIGKILL = 9, SIGPIPE = 13, SIGCHLD = 17, SIGNALS = 64 };
enum { SIG_DFL = 0, SIG_IGN = 1, SIG_BLOCK = 0, SIG_SETMASK = 2 };
enum { AT_FDCWD = -100, O_RDONLY = 0, O_RDWR = 2, O_NOCTTY = 0400, O_CLOEXEC = 02000000 };
enum { PROT_READ = 1, PROT_WRITE = 2, MAP_PRIVATE = 2, MAP_ANONYMOUS = 0x20 };
enum { MAP_NORESERVE = 0x4000 };
enum { MSG_DONTWAIT = 0x40, MSG_NOSIGNAL = 0x4000 };
enum { POLLIN = 1, SFD_CLOEXEC = O_CLOEXEC };
enum { CLONE_VM = 0x100, CLONE_VFORK = 0x4000 };
enum { WNOHANG = 1, WALL = 0x40000000, RUSAGE_CHILDREN = -1 };
enum { PR_SET_PDEATHSIG = 1, PR_SET_DUMPABLE = 4, PR_SET_CHILD_SUBREAPER = 36 };

struct pollfd {
  s32 fd;
  u16 events;
  u16 revents;
};

struct timespec {
  s64 seconds;
  s64 nanos;
};

struct rlimit {
  u64 soft;
  u64 hard;
};

struct rusage {
  s64 user_seconds;
  s64 user_micros;
  s64 system_seconds;
  s64 system_micros;
  s64 max_rss;
  s64 unused[13];
};

static long syscall6(long n, long a, long b, long c, long d, long e, long f) {
  return syscall_here(n, a, b, c, d, e, f);
}

#define ADDRESS(pointer) ((long)(const void *)(pointer))
#define CALL0(n) syscall6(n, 0, 0, 0, 0, 0, 0)
#define CALL1(n, a) syscall6(n, a, 0, 0, 0, 0, 0)
#define CALL2(n, a, b) syscall6(n, a, b, 0, 0, 0, 0)
#define CALL3(n, a, b, c) syscall6(n, a, b, c, 0, 0, 0)
#define CALL4(n, a, b, c, d) syscall6(n, a, b, c, d, 0, 0)

/*
 * A compiler may call these for plain assignments, whatever it is told about the library. gcc would
 * even see in their loops what they are, and let them call themselves.
 */
#ifdef __clang__
#define PLAIN_LOOP __attribute__((used))
#else
#define PLAIN_LOOP __attribute__((used, optimize("no-tree-loop-distribute-patterns")))
#endif

PLAIN_LOOP void *memset(void *to, int byte, size_t count) {
  u8 *at = to;
  while (count-- > 0) *at++ = (u8)byte;
  return to;
}

PLAIN_LOOP void *memcpy(void *restrict to, const void *restrict from, size_t count) {
  u8 *at = to;
  const u8 *source = from;
  while (count-- > 0) *at++ = *source++;
  return to;
}

static size_t length_of(const char *text) {
  size_t n = 0;
  while (text[n] != 0) n++;
  return n;
}

static int is_same(const char *a, const char *b) {
  while (*a == *b && *a != 0) {
    a++;
    b++;
  }
  return *a == *b;
}

__attribute__((noreturn)) static void leave(int status) {
  for (;;) CALL1(SYS_exit_group, status);
}

static void close_fd(int fd) { CALL1(SYS_close, fd); }

/* Fresh zeroed memory, given back only by the end of the process; NULL when there is none. */
static void *allocate(size_t size) {
  long at = syscall6(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return at < 0 && at > -4096 ? NULL : (void *)at;
}

/* Writes everything, or as much as a broken reader lets it. */
static void write_text(int fd, const char *text, size_t length) {
  while (length > 0) {
    long n = CALL3(SYS_write, fd, ADDRESS(text), (long)length);
    if (n == -EINTR) continue;
    if (n <= 0) return;
    text += n;
    length -= (size_t)n;
  }
}

/* The decimal number at TEXT, all of it, or -1. */
static int number(const char *text) {
  long value = 0;
  if (*text == 0) return -1;
  for (; *text != 0; text++) {
    if (*text < '0' || *text > '9') return -1;
    value = value * 10 + (*text - '0');
    if (value > 0x7fffffff) return -1;
  }
  return (int)value;
}

static void set_action(int signal, long action) {
  /* Handler, flags, restorer, mask: with no handler of our own everything but the first is zero. */
  long description[4] = {action, 0, 0, 0};
  CALL4(SYS_rt_sigaction, signal, ADDRESS(description), 0, sizeof(u64));
}

static void set_mask(u64 blocked) {
  CALL4(SYS_rt_sigprocmask, SIG_SETMASK, ADDRESS(&blocked), 0, sizeof(u64));
}

#endif
