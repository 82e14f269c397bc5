/*
 * zett-init MODE CONTROL STDIN STDOUT STDERR [GROUPFD...]
 *
 * The first process of a sandbox. It waits for its caller's token, starts the command, tells how it
 * ended, and lets nothing outlive it. MODE is `pid1` in a pid namespace of its own, whose end is the end
 * of everything in it, or `reaper` where there is none. The numbers are inherited descriptors; CONTROL
 * is a stream socket.
 *
 * Without the whole token nothing starts: end-of-file, a short, long or malformed block end this
 * process with status 125. End-of-file on CONTROL later ends the command and all that it started.
 *
 * The command shares no memory with this process, and gets neither the control socket nor anything else
 * but its standard streams: it is started by fork or vfork, and exec; until then only code from here runs.
 */
#include "program.h"
#include "wall.h"
#include "terminal.h"
#include "descendants.h"

enum { BROKEN = 125 };

enum record { READY = 1, STARTED, FAILED, EXIT, USAGE, EXEC_FAILED, TERMINAL_OPEN };
enum step { GROUP = 1, BLOCK, DESCRIPTORS, LIMIT, DIRECTORY, SESSION, FORK, CONFINEMENT, PTY };
enum order { SIGNAL_MAIN = 1, SIGNAL_ALL, END };

static struct {
  int is_pid1;
  int control;
  int stdio[3];
  int terminal; /* the command's end; -1 without one */
  int main;       /* pid of the command */
  int main_ended; /* it has been reaped, its number may be anybody's */
  int exit_told;
  u64 status; /* its wait status */
  int report;     /* the command's side tells here why it did not come to its exec; -1 when told */
  int signals;
} init;

static void send_bytes(const void *bytes, long size) {
  /* A caller that is gone is noticed by the end-of-file on the same socket. */
  while (syscall6(SYS_sendto, init.control, ADDRESS(bytes), size, MSG_NOSIGNAL, 0, 0) == -EINTR) {
  }
}

static void send_record(u64 type, u64 a, u64 b, u64 c) {
  u64 record[8] = {type, a, b, c, 0, 0, 0, 0};
  send_bytes(record, sizeof record);
}

__attribute__((noreturn)) static void fail(enum step step, long error, u64 extra) {
  send_record(FAILED, step, (u64)-error, extra);
  leave(BROKEN);
}

__attribute__((noreturn)) static void refuse(const char *why) {
  write_text(2, "zett-init: ", 11);
  write_text(2, why, length_of(why));
  write_text(2, "\n", 1);
  leave(BROKEN);
}

/* ---- before the token ---- */

static int descriptor(const char *text) {
  int fd = number(text);
  /* 0 to 2 are the launcher's, and are where the command's streams will be put. */
  if (fd < 3) refuse("a descriptor must be a number from 3 up");
  return fd;
}

static void read_arguments(char **argv) {
  int argc = 0;
  while (argv[argc] != NULL) argc++;
  if (argc < 6) refuse("usage: zett-init pid1|reaper CONTROL STDIN STDOUT STDERR [GROUPFD...]");
  init.is_pid1 = is_same(argv[1], "pid1");
  if (!init.is_pid1 && !is_same(argv[1], "reaper")) refuse("the mode is pid1 or reaper");
  /* kill(-1) must never meet anything but a pid namespace of our own. */
  if (init.is_pid1 && CALL0(SYS_getpid) != 1) refuse("not pid 1");
  init.control = descriptor(argv[2]);
  for (int i = 0; i < 3; i++) {
    init.stdio[i] = descriptor(argv[3 + i]);
    if (init.stdio[i] == init.control) refuse("the control socket is no stream of the command");
  }
}

/* Writing 0 moves the writer itself, which takes no global lock, unlike a number written from outside. */
static void join_groups(char **groups) {
  for (; *groups != NULL; groups++) {
    int fd = descriptor(*groups);
    long n = CALL3(SYS_write, fd, ADDRESS("0"), 1);
    if (n < 0) fail(GROUP, n, (u64)fd);
    close_fd(fd);
  }
}

/* ---- the command's side of the fork ---- */

__attribute__((noreturn)) static void give_up(int report, int status, u64 type, u64 a, u64 b,
                                              u64 c) {
  u64 message[4] = {type, a, b, c};
  CALL3(SYS_write, report, ADDRESS(message), sizeof message);
  leave(status);
}

__attribute__((noreturn)) static void say_exec_failed(int report, const char *name, int error,
                                                      const char *why, int status) {
  char line[1200] = "zett: ";
  size_t length = 6;
  size_t name_length = length_of(name);
  if (name_length > 1024) name_length = 1024;
  memcpy(line + length, name, name_length);
  length += name_length;
  line[length++] = ':';
  line[length++] = ' ';
  memcpy(line + length, why, length_of(why));
  length += length_of(why);
  line[length++] = '\n';
  set_action(SIGPIPE, SIG_IGN);
  write_text(2, line, length);
  give_up(report, status, EXEC_FAILED, (u64)error, (u64)status, 0);
}

static void set_limits(const struct block *block, int report) {
  for (u32 i = 0; i < block->limit_count; i++) {
    u32 resource;
    struct rlimit limit;
    memcpy(&resource, block->limits + (size_t)i * LIMIT_SIZE, sizeof resource);
    memcpy(&limit, block->limits + (size_t)i * LIMIT_SIZE + 8, sizeof limit);
    long n = CALL4(SYS_prlimit64, 0, resource, ADDRESS(&limit), 0);
    if (n < 0) give_up(report, BROKEN, FAILED, LIMIT, (u64)-n, resource);
  }
}

/* Returns 0, or the negated errno and which stream it was. */
static long set_streams(const struct block *block, int *stream) {
  int streams[3] = {init.stdio[0], init.stdio[1], init.stdio[block->flags & MERGED ? 1 : 2]};
  *stream = 0;
  if (init.terminal >= 0) {
    streams[0] = streams[1] = streams[2] = init.terminal;
  } else if (block->flags & NO_INPUT) {
    long n = CALL4(SYS_openat, AT_FDCWD, ADDRESS("/dev/null"), O_RDONLY, 0);
    if (n < 0) return n;
    streams[0] = (int)n;
  }
  for (int i = 0; i < 3; i++) {
    *stream = i;
    long n = CALL3(SYS_dup3, streams[i], i, 0);
    if (n < 0) return n;
  }
  return 0;
}

/* May borrow the memory of its parent, which waits then: changes nothing that the parent goes on to use. */
__attribute__((noreturn, noinline)) static void become_command(const struct block *block, int report,
                                                     long parent) {
  if (!init.is_pid1) {
    /* A killed zett-init must not leave its command running; the check is for a death before this. */
    CALL2(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
    if (CALL0(SYS_getppid) != parent) leave(BROKEN);
  }
  long n = CALL0(SYS_setsid);
  if (n < 0) give_up(report, BROKEN, FAILED, SESSION, (u64)-n, 0);
  if (init.terminal >= 0) {
    n = take_terminal(init.terminal);
    if (n < 0) give_up(report, BROKEN, FAILED, PTY, (u64)-n, 0);
  }
  for (int signal = 1; signal <= SIGNALS; signal++) set_action(signal, SIG_DFL);
  int stream;
  n = set_streams(block, &stream);
  if (n < 0) give_up(report, BROKEN, FAILED, DESCRIPTORS, (u64)-n, (u64)stream);
  n = close_all_but(&report, 1); /* which itself is closed by the exec */
  if (n < 0) give_up(report, BROKEN, FAILED, DESCRIPTORS, (u64)-n, 0);
  n = CALL1(SYS_chdir, ADDRESS(block->directory));
  if (n < 0) give_up(report, BROKEN, FAILED, DIRECTORY, (u64)-n, 0);
  u32 root;
  n = build_wall(block, &root);
  if (n < 0) give_up(report, BROKEN, FAILED, CONFINEMENT, (u64)-n, root);
  set_limits(block, report);
  set_mask(0);
  const char *why;
  int status;
  int error = run_program(block, &why, &status);
  say_exec_failed(report, block->argv[0], error, why, status);
}

static void make_terminal(const struct block *block) {
  init.terminal = -1;
  if (!(block->flags & TERMINAL)) return;
  int callers;
  long n = open_terminal(block->window, &callers, &init.terminal);
  if (n < 0) fail(PTY, n, 0);
  u64 record[8] = {TERMINAL_OPEN, 0, 0, 0, 0, 0, 0, 0};
  n = send_descriptor(init.control, record, sizeof record, callers);
  if (n < 0) fail(PTY, n, 0);
  close_fd(callers);
}

static void start_command(const struct block *block) {
  int report[2];
  make_terminal(block);
  long n = CALL2(SYS_pipe2, ADDRESS(report), O_CLOEXEC);
  if (n < 0) fail(DESCRIPTORS, n, 0);
  long self = CALL0(SYS_getpid);
  /* As vfork, in this function's own frame, since the child must not return from where it began. Where no
     namespace ends all with this process, it goes on meanwhile, to hear of its caller's end. */
  n = syscall_here(SYS_clone, (init.is_pid1 ? CLONE_VM | CLONE_VFORK : 0) | SIGCHLD, 0, 0, 0, 0, 0);
  if (n < 0) fail(FORK, n, 0);
  if (n == 0) become_command(block, report[1], self);
  init.main = (int)n;
  init.report = report[0];
  close_fd(report[1]);
  /* Held here, the command's pipes would stay open beyond its end. A terminal stays: were it closed by
     the command alone, the caller would take that for the end, and hang up on whoever goes on. */
  for (int i = 0; i < 3; i++) {
    close_fd(init.stdio[i]);
    close_fd(i);
  }
}

/* ---- while the command runs ---- */

/* Its end-of-file is the exec. Blocks until the command's side has come that far, or is dead. */
static void read_report(void) {
  u64 message[4];
  long n = read_fully(init.report, (u8 *)message, sizeof message);
  close_fd(init.report);
  init.report = -1;
  if (n <= 0) {
    send_record(STARTED, (u64)init.main, 0, 0);
    return;
  }
  send_record(message[0], message[1], message[2], message[3]);
  /* Nothing of the command's has run; its side of the fork is on its way out. */
  if (message[0] == FAILED) leave(BROKEN);
}

/* Reaps one child. Returns its pid, 0 when none has ended and HOW does not wait, or -ECHILD. */
static long reap(int how) {
  int status;
  long pid;
  do {
    pid = CALL4(SYS_wait4, -1, ADDRESS(&status), WALL | how, 0);
  } while (pid == -EINTR);
  if (pid == init.main && !init.main_ended) {
    init.main_ended = 1;
    init.status = (u64)(u32)status;
    if (init.report >= 0) read_report();
  }
  return pid;
}

static void tell_exit(void) {
  if (init.main_ended && !init.exit_told) {
    init.exit_told = 1;
    send_record(EXIT, init.status, 0, 0);
  }
}

/* Returns whether there is no use in doing it again. */
static int signal_all(int signal) {
  if (!init.is_pid1) return signal_descendants(signal);
  if (CALL0(SYS_getpid) != 1) leave(BROKEN);
  CALL2(SYS_kill, -1, signal);
  return 1;
}

/* Waits for an event on any of the three; a negative descriptor is passed over by the kernel. */
static void await(struct pollfd *events, int control, const struct timespec *timeout) {
  events[0] = (struct pollfd){init.report, POLLIN, 0};
  events[1] = (struct pollfd){init.signals, POLLIN, 0};
  events[2] = (struct pollfd){control, POLLIN, 0};
  long n = syscall6(SYS_ppoll, ADDRESS(events), 3, ADDRESS(timeout), 0, sizeof(u64), 0);
  if (n <= 0) events[0].revents = events[1].revents = events[2].revents = 0;
  if (events[1].revents != 0) {
    u8 information[128];
    CALL3(SYS_read, init.signals, ADDRESS(information), sizeof information);
  }
}

/* A process can be born between the look into /proc and the kill: again, until no child is left. */
static void end_descendants(void) {
  for (;;) {
    int useless = signal_all(SIGKILL);
    long pid;
    while ((pid = reap(WNOHANG)) > 0) {
    }
    tell_exit();
    /* Some are left and none may be killed (a set-id program), or /proc is not there to find them:
       the command itself still ends by its parent-death signal. */
    if (pid < 0 || useless) return;
    struct pollfd events[3];
    struct timespec moment = {0, 10000000}; /* what is no child of ours yet ends without a signal */
    await(events, -1, &moment);
    if (events[0].revents != 0) read_report();
  }
}

static void tell_usage(void) {
  struct rusage usage;
  CALL2(SYS_getrusage, RUSAGE_CHILDREN, ADDRESS(&usage));
  /* The usual end in one piece, for which the caller wakes up once. */
  u64 records[16] = {EXIT, init.status};
  u64 *record = records + 8;
  record[0] = USAGE;
  record[1] = (u64)(usage.user_seconds * 1000000 + usage.user_micros);
  record[2] = (u64)(usage.system_seconds * 1000000 + usage.system_micros);
  record[3] = (u64)usage.max_rss;
  int both = init.main_ended && !init.exit_told;
  send_bytes(both ? records : record, (both ? 2 : 1) * 64);
}

/* CHILDLESS: the last child has been reaped. */
__attribute__((noreturn)) static void end_everything(int childless) {
  if (!init.is_pid1) {
    end_descendants(); /* others may have been adopted by somebody else */
  } else if (!childless) {
    /* No fork escapes a kill(-1): the kernel refuses one while a signal is pending. */
    signal_all(SIGKILL);
    while (reap(0) > 0) tell_exit();
  }
  tell_usage();
  leave(0);
}

static void obey(u64 order, u64 signal) {
  if (order != SIGNAL_MAIN && order != SIGNAL_ALL) end_everything(0); /* END, or nothing we know */
  if (signal == 0 || signal > SIGNALS) return;
  if (order == SIGNAL_ALL) {
    signal_all((int)signal);
  } else {
    CALL2(SYS_kill, init.main, (long)signal); /* not reaped, or we would not be here */
  }
}

static void read_orders(void) {
  static u8 order[16]; /* a record may come in pieces */
  static size_t have;
  long n = syscall6(SYS_recvfrom, init.control, ADDRESS(order + have), (long)(sizeof order - have),
                    MSG_DONTWAIT, 0, 0);
  if (n == -EAGAIN || n == -EINTR) return;
  if (n <= 0) end_everything(0);
  have += (size_t)n;
  if (have < sizeof order) return;
  have = 0;
  u64 words[2];
  memcpy(words, order, sizeof words);
  obey(words[0], words[1]);
}

__attribute__((noreturn)) static void follow_command(void) {
  for (;;) {
    struct pollfd events[3];
    await(events, init.control, NULL);
    if (events[0].revents != 0) read_report();
    long last = 0;
    if (events[1].revents != 0) {
      while ((last = reap(WNOHANG)) > 0) {
      }
    }
    if (init.main_ended) {
      if (last != -ECHILD) tell_exit();
      end_everything(last == -ECHILD);
    }
    if (events[2].revents != 0) read_orders();
  }
}

__attribute__((noreturn, used)) void start(long *stack) {
  char **argv = (char **)(stack + 1);
  struct block block;
  u64 child_signal = 1ul << (SIGCHLD - 1);
  /* Nothing interrupts this process, and children are never reaped behind its back. */
  set_mask(~0ul);
  set_action(SIGCHLD, SIG_DFL);
  read_arguments(argv);
  join_groups(argv + 6);
  int kept[4] = {init.control, init.stdio[0], init.stdio[1], init.stdio[2]};
  long n = close_all_but(kept, 4);
  if (n < 0) fail(DESCRIPTORS, n, 0);
  send_record(READY, PROTOCOL, (u64)CALL0(SYS_getpid), 0);
  n = read_block(init.control, &block);
  if (n == 0) leave(BROKEN);
  if (n < 0) fail(BLOCK, n, 0);
  /* Only now: until it sent the token the caller looked through /proc/PID/root. From here on no
     process of the command may look into or trace this one. */
  CALL2(SYS_prctl, PR_SET_DUMPABLE, 0);
  /* Refused by QEMU's user emulation alone: what detaches is lost then, the rest is still found. */
  if (!init.is_pid1) CALL2(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1);
  n = CALL4(SYS_signalfd4, -1, ADDRESS(&child_signal), sizeof child_signal, SFD_CLOEXEC);
  if (n < 0) fail(DESCRIPTORS, n, 0);
  init.signals = (int)n;
  start_command(&block);
  follow_command();
}
