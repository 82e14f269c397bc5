/* System calls that a command must not reach, with arguments that do nothing. */
#include "probe.h"

#define SESSION (-3)
#define PROCESS (-2)

static int add_key(char **w) {
  (void)w;
  return worked(syscall(SYS_add_key, "user", "zett-probe", "x", 1, PROCESS));
}

static int request_key(char **w) {
  (void)w;
  return reached(syscall(SYS_request_key, "user", "zett-no-such-key", 0, 0), ENOKEY);
}

static int keyctl(char **w) {
  (void)w;
  return worked(syscall(SYS_keyctl, 0, SESSION, 0));
}

/* Runs a program with a key in a new session keyring: with-key NAME VALUE PROGRAM... */
static int with_key(char **w) {
  syscall(SYS_keyctl, 1, NULL);
  syscall(SYS_add_key, "user", w[0], w[1], strlen(w[1]), SESSION);
  execvp(w[2], w + 2);
  perror(w[2]);
  return 127;
}

static int read_key(char **w) {
  char value[64];
  long key = syscall(SYS_keyctl, 10, SESSION, "user", w[0], 0);
  return key < 0 ? worked(key) : worked(syscall(SYS_keyctl, 11, key, value, sizeof value));
}

static int bpf(char **w) {
  struct {
    uint32_t type, key, value, entries, rest[12];
  } map = {2, 4, 4, 1, {0}};
  (void)w;
  return worked(syscall(SYS_bpf, 0, &map, sizeof map));
}

static int perf_event_open(char **w) {
  uint64_t event[16] = {1 | 128ull << 32};
  (void)w;
  event[5] = 1 << 5 | 1 << 6; /* not the kernel, not the hypervisor */
  return worked(syscall(SYS_perf_event_open, event, 0, -1, -1, 0));
}

static int userfaultfd(char **w) {
  (void)w;
  return worked(syscall(SYS_userfaultfd, 1));
}

static int io_uring_setup(char **w) {
  char parameters[120] = {0};
  (void)w;
  return worked(syscall(SYS_io_uring_setup, 1, parameters));
}

static int io_uring_enter(char **w) {
  (void)w;
  return reached(syscall(SYS_io_uring_enter, -1, 0, 0, 0, 0, 0), EBADF);
}

static int io_uring_register(char **w) {
  (void)w;
  return reached(syscall(SYS_io_uring_register, 12345, 0, 0, 0), EBADF);
}

static int init_module(char **w) {
  (void)w;
  return reached(syscall(SYS_init_module, "", 0, ""), ENOEXEC);
}

static int finit_module(char **w) {
  (void)w;
  return reached(syscall(SYS_finit_module, -1, "", 0), EBADF);
}

static int delete_module(char **w) {
  (void)w;
  return reached(syscall(SYS_delete_module, "zett_no_such_module", O_NONBLOCK), ENOENT);
}

/* More segments than there may be. */
static int kexec_load(char **w) {
  (void)w;
  return reached(syscall(SYS_kexec_load, 0, 100000, NULL, 0), EINVAL);
}

static int kexec_file_load(char **w) {
  (void)w;
  return reached(syscall(SYS_kexec_file_load, -1, -1, 0, "", ~0ul), EINVAL);
}

static int open_by_handle(char **w) {
  union {
    struct file_handle handle;
    char room[256];
  } file;
  int mount, directory = open(".", O_RDONLY);
  file.handle.handle_bytes = 128;
  if (name_to_handle_at(AT_FDCWD, w[0], &file.handle, &mount, 0) < 0)
    file.handle.handle_bytes = 8;
  return worked(syscall(SYS_open_by_handle_at, directory, &file, O_RDONLY));
}

static int fanotify(char **w) {
  (void)w;
  return worked(syscall(SYS_fanotify_init, 0x200, O_RDONLY));
}

static int kernel_log(char **w) {
  char text[4096];
  (void)w;
  return worked(syscall(SYS_syslog, 3, text, sizeof text));
}

/* Makes a terminal of its own its controlling one: typing into that harms nobody. */
static int own_terminal(void) {
  int master, slave;
  setsid();
  master = posix_openpt(O_RDWR | O_NOCTTY);
  grantpt(master);
  unlockpt(master);
  slave = open(ptsname(master), O_RDWR | O_NOCTTY);
  ioctl(slave, TIOCSCTTY, 0);
  return slave;
}

static int terminal(char **w) {
  unsigned long command = strtoul(w[0], NULL, 0);
  if (fork() != 0) {
    int status = 0;
    wait(&status);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  }
  /* TIOCLINUX is for consoles only: another terminal does not know it. */
  _exit(reached(syscall(SYS_ioctl, own_terminal(), command, "x"),
                (unsigned int)command == 0x541c ? ENOTTY : 0));
}

static int reboot_call(char **w) {
  (void)w; /* with numbers that it does not take */
  return reached(syscall(SYS_reboot, 1, 2, 3, NULL), EINVAL);
}

static int swap_on(char **w) {
  (void)w;
  return reached(syscall(SYS_swapon, "/zett-no-such-file", 0), ENOENT);
}

static int swap_off(char **w) {
  (void)w;
  return reached(syscall(SYS_swapoff, "/zett-no-such-file"), ENOENT);
}

static int quota(char **w) {
  (void)w; /* Q_GETFMT */
  return reached(syscall(SYS_quotactl, 0x80000400, "/zett-no-such-file", 0, w), ENOENT);
}

static int set_clock(char **w) {
  struct timespec wrong = {0, 2000000000};
  (void)w;
  return reached(syscall(SYS_clock_settime, CLOCK_REALTIME, &wrong), EINVAL);
}

static int set_time(char **w) {
  long wrong[2] = {0, 2000000000};
  (void)w;
  return reached(syscall(SYS_settimeofday, wrong, NULL), EINVAL);
}

static int adjust_clock(char **w) {
  long asks[64] = {0};
  (void)w;
  return worked(syscall(SYS_clock_adjtime, CLOCK_REALTIME, asks));
}

static int host_name(char **w) {
  (void)w; /* longer than one may be */
  return reached(syscall(SYS_sethostname, "zett", 100000), EINVAL);
}

static int ports(char **w) {
  (void)w;
#ifdef __x86_64__
  return worked(syscall(SYS_iopl, 0));
#else
  return 1;
#endif
}

static int port_range(char **w) {
  (void)w;
#ifdef __x86_64__
  return worked(syscall(SYS_ioperm, 0x80, 1, 0));
#else
  return 1;
#endif
}

/* getpid through the table of 32-bit programs, and through that of x32. */
static int i386(char **w) {
  (void)w;
#ifdef __x86_64__
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory", "r8", "r9", "r10", "r11");
  return result > 0 ? 0 : 1;
#else
  return 1;
#endif
}

static int x32(char **w) {
  (void)w;
#ifdef __x86_64__
  return worked(syscall(0x40000000 | SYS_getpid));
#else
  return 1;
#endif
}

static int namespace(char **w) {
  return worked(unshare((int)strtol(w[0], NULL, 0)));
}

static int clone_namespace(char **w) {
  long pid = syscall(SYS_clone, strtol(w[0], NULL, 0) | SIGCHLD, 0, 0, 0, 0);
  if (pid == 0)
    _exit(0);
  return worked(pid);
}

static int clone3(char **w) {
  uint64_t arguments[11] = {strtoull(w[0], NULL, 0), 0, 0, 0, SIGCHLD};
  long pid = syscall(SYS_clone3, arguments, 64);
  if (pid == 0)
    _exit(0);
  return worked(pid);
}

static int join_namespace(char **w) {
  return reached(syscall(SYS_setns, open(w[0], O_RDONLY), 0), EINVAL);
}

const struct attack call_attacks[] = {{"add-key", add_key},
                                      {"request-key", request_key},
                                      {"keyctl", keyctl},
                                      {"with-key", with_key},
                                      {"read-key", read_key},
                                      {"bpf", bpf},
                                      {"perf", perf_event_open},
                                      {"userfaultfd", userfaultfd},
                                      {"io-uring-setup", io_uring_setup},
                                      {"io-uring-enter", io_uring_enter},
                                      {"io-uring-register", io_uring_register},
                                      {"init-module", init_module},
                                      {"finit-module", finit_module},
                                      {"delete-module", delete_module},
                                      {"kexec-load", kexec_load},
                                      {"kexec-file-load", kexec_file_load},
                                      {"open-by-handle", open_by_handle},
                                      {"fanotify", fanotify},
                                      {"kernel-log", kernel_log},
                                      {"terminal", terminal},
                                      {"reboot", reboot_call},
                                      {"swap-on", swap_on},
                                      {"swap-off", swap_off},
                                      {"quota", quota},
                                      {"set-clock", set_clock},
                                      {"set-time", set_time},
                                      {"adjust-clock", adjust_clock},
                                      {"host-name", host_name},
                                      {"ports", ports},
                                      {"port-range", port_range},
                                      {"i386", i386},
                                      {"x32", x32},
                                      {"namespace", namespace},
                                      {"clone-namespace", clone_namespace},
                                      {"clone3", clone3},
                                      {"join-namespace", join_namespace},
                                      {NULL, NULL}};
