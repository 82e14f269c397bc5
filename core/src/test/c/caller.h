/*
 * Acts as zett-init's caller: starts it behind a launcher, keeps the other ends of its descriptors, sends
 * blocks and reads records.
 */
#ifndef CALLER_H
#define CALLER_H

#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { READY = 1, STARTED, FAILED, EXIT, USAGE, EXEC_FAILED };
enum { SIGNAL_MAIN = 1, SIGNAL_ALL, END };
enum { CONTROL = 6, PATIENCE_MS = 20000 };

/* Given on the command line. */
static const char *self_path; /* this program, which is also the command of most checks */
static const char *init_path;
static const char *mode;
static const char *scratch; /* a writable directory that the sandbox sees, too */
static char **launcher;     /* NULL-terminated words before the path of zett-init */
static int is_pid1;
static int is_emulated;

/* Ends the running check, which is a process of its own. */
__attribute__((noreturn, format(printf, 1, 2))) static void fail(const char *format, ...) {
  char text[4096];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  for (char *at = text; *at != 0; at++) {
    if (*at == '\n') *at = '|';
  }
  printf("not ok %s\n", text);
  fflush(stdout);
  _exit(1);
}

__attribute__((noreturn)) static void skip(const char *why) {
  printf("skip %s\n", why);
  fflush(stdout);
  _exit(0);
}

#define CHECK(condition, ...) \
  do {                        \
    if (!(condition)) fail(#condition ": " __VA_ARGS__); \
  } while (0)

/* ---- blocks ---- */

struct bytes {
  unsigned char *at;
  size_t size;
};

static void add(struct bytes *to, const void *from, size_t size) {
  to->at = realloc(to->at, to->size + size + 1);
  memcpy(to->at + to->size, from, size);
  to->size += size;
}

static void add_u32(struct bytes *to, uint32_t value) { add(to, &value, sizeof value); }

static void add_strings(struct bytes *to, char *const *strings) {
  for (; *strings != NULL; strings++) add(to, *strings, strlen(*strings) + 1);
}

static uint32_t count_of(char *const *strings) {
  uint32_t n = 0;
  while (strings[n] != NULL) n++;
  return n;
}

struct limit {
  uint32_t resource;
  uint32_t zero;
  uint64_t soft;
  uint64_t hard;
};

struct command {
  char *const *argv;
  char *const *envp;
  const char *directory;
  const struct limit *limits;
  uint32_t limit_count;
  char *const *roots; /* the second wall's directories; NULL for no wall */
  int merged;         /* its standard error goes where its standard output goes */
  int no_input;
};

#define STRINGS(...) ((char *[]){__VA_ARGS__, NULL})
#define NO_STRINGS ((char *[]){NULL})

static struct bytes payload_of(struct command command) {
  struct bytes payload = {0};
  const char *directory = command.directory == NULL ? "/" : command.directory;
  char *const *envp = command.envp == NULL ? STRINGS("PATH=/usr/bin:/bin") : command.envp;
  add_u32(&payload, command.limit_count);
  if (command.limit_count > 0) {
    add(&payload, command.limits, command.limit_count * sizeof *command.limits);
  }
  add_u32(&payload, (uint32_t)strlen(directory) + 1);
  add(&payload, directory, strlen(directory) + 1);
  add_u32(&payload, count_of(command.argv));
  add_u32(&payload, count_of(envp));
  add_u32(&payload, command.roots == NULL ? 0 : count_of(command.roots));
  add_strings(&payload, command.argv);
  add_strings(&payload, envp);
  if (command.roots != NULL) add_strings(&payload, command.roots);
  return payload;
}

static struct bytes block_with_header(uint32_t magic, uint32_t version, uint32_t flags,
                                      uint32_t length, struct bytes payload) {
  struct bytes block = {0};
  add_u32(&block, magic);
  add_u32(&block, version);
  add_u32(&block, flags);
  add_u32(&block, length);
  if (payload.size > 0) add(&block, payload.at, payload.size);
  return block;
}

static struct bytes block_of_payload(struct bytes payload) {
  return block_with_header(0x5454455A, 3, 0, (uint32_t)payload.size, payload);
}

static struct bytes block_of(struct command command) {
  struct bytes payload = payload_of(command);
  uint32_t flags =
      (command.roots != NULL ? 1 : 0) | (command.merged ? 2 : 0) | (command.no_input ? 4 : 0);
  return block_with_header(0x5454455A, 3, flags, (uint32_t)payload.size, payload);
}

/* ---- one zett-init ---- */

struct run {
  int control;
  int in;
  int out;
  int err;
  pid_t launcher;
  pid_t init; /* its number out here */
};

struct options {
  int groups[4];
  int group_count;
  int leak_descriptors;
  int hide_close_range;
  int bad_signals;
  int no_new_privileges;
  int merge; /* standard error is the very pipe of standard output */
};

struct record {
  uint64_t type, a, b, c, d, unused[3];
};

static long now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int high(int fd) {
  int to = fcntl(fd, F_DUPFD_CLOEXEC, 600);
  if (to < 0) fail("F_DUPFD: %s", strerror(errno));
  return to;
}

static void no_close_range(void) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0), /* the number of the call */
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_close_range, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    _exit(99);
  }
}

static void exec_init(const int *ends, const struct options *options) {
  char *argv[64];
  char words[16][12];
  int count = 0;
  int null = high(open("/dev/null", O_RDWR));
  int sources[16] = {null, null, high(STDERR_FILENO)};
  for (int i = 0; i < 4; i++) sources[CONTROL + i] = high(ends[i]);
  for (int i = 0; i < options->group_count; i++) sources[10 + i] = high(options->groups[i]);
  for (int fd = 0; fd < 10 + options->group_count; fd++) {
    if (fd < 3 || fd >= CONTROL) dup2(sources[fd], fd);
  }
  if (options->leak_descriptors) {
    int leaks[] = {3, 5, 20, 21, 500};
    for (size_t i = 0; i < sizeof leaks / sizeof *leaks; i++) dup2(null, leaks[i]);
  }
  syscall(SYS_close_range, 501, ~0u, 0);
  /* A clean start, without the C library, which keeps signals 32 and 33 to itself. */
  long default_action[4] = {0};
  for (int n = 1; n <= 64; n++) syscall(SYS_rt_sigaction, n, default_action, NULL, 8);
  if (options->bad_signals) {
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    if (!is_pid1) sigaddset(&blocked, SIGCHLD); /* bubblewrap itself would wait for ever */
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    signal(SIGPIPE, SIG_IGN);
    if (!is_pid1) signal(SIGCHLD, SIG_IGN);
  }
  for (char **word = launcher; *word != NULL; word++) argv[count++] = *word;
  argv[count++] = (char *)init_path;
  argv[count++] = (char *)mode;
  for (int i = 0; i < 4 + options->group_count; i++) {
    snprintf(words[i], sizeof words[i], "%d", CONTROL + i);
    argv[count++] = words[i];
  }
  argv[count] = NULL;
  if (options->no_new_privileges) prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (options->hide_close_range) no_close_range();
  execvp(argv[0], argv);
  _exit(99);
}

static struct run launch_with(struct options options) {
  struct run run = {0};
  int control[2], in[2], out[2], err[2];
  int on = 1;
  signal(SIGPIPE, SIG_IGN);
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, control) != 0 || pipe2(in, O_CLOEXEC) ||
      pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC)) {
    fail("cannot make descriptors: %s", strerror(errno));
  }
  setsockopt(control[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on);
  run.launcher = fork();
  if (run.launcher == 0) {
    signal(SIGPIPE, SIG_DFL);
    exec_init((int[]){control[1], in[0], out[1], options.merge ? out[1] : err[1]}, &options);
  }
  close(control[1]);
  close(in[0]);
  close(out[1]);
  close(err[1]);
  run.control = control[0];
  run.in = in[1];
  run.out = out[0];
  run.err = err[0];
  return run;
}

static int wait_readable(int fd, int ms) {
  struct pollfd poll_fd = {fd, POLLIN, 0};
  return poll(&poll_fd, 1, ms);
}

/* Returns 0 at end-of-file. */
static int next_record(struct run *run, struct record *record) {
  size_t have = 0;
  while (have < sizeof *record) {
    if (wait_readable(run->control, PATIENCE_MS) <= 0) fail("no record and no end-of-file");
    char credentials[CMSG_SPACE(sizeof(struct ucred))];
    struct iovec piece = {(char *)record + have, sizeof *record - have};
    struct msghdr message = {.msg_iov = &piece,
                             .msg_iovlen = 1,
                             .msg_control = credentials,
                             .msg_controllen = sizeof credentials};
    ssize_t n = recvmsg(run->control, &message, 0);
    if (n <= 0) return 0; /* also ECONNRESET: ended with something unread */
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header != NULL && header->cmsg_type == SCM_CREDENTIALS) {
      struct ucred sender;
      memcpy(&sender, CMSG_DATA(header), sizeof sender);
      run->init = sender.pid;
    }
    have += (size_t)n;
  }
  return 1;
}

static struct record expect(struct run *run, uint64_t type) {
  struct record record = {0};
  if (!next_record(run, &record)) fail("end-of-file instead of record %d", (int)type);
  if (record.type != type) {
    fail("record %d(%d, %d, %d) instead of %d", (int)record.type, (int)record.a, (int)record.b,
         (int)record.c, (int)type);
  }
  return record;
}

static void send_bytes(struct run *run, const void *from, size_t size) {
  for (size_t at = 0; at < size;) {
    ssize_t n = send(run->control, (const char *)from + at, size - at, MSG_NOSIGNAL);
    if (n <= 0) return;
    at += (size_t)n;
  }
}

static void send_order(struct run *run, uint64_t type, uint64_t value) {
  uint64_t order[2] = {type, value};
  send_bytes(run, order, sizeof order);
}

static struct run launch_ready(struct options options) {
  struct run run = launch_with(options);
  struct record ready = expect(&run, READY);
  CHECK(ready.a == 3 && ready.b > 0, "READY(%d, %d)", (int)ready.a, (int)ready.b);
  CHECK(!is_pid1 || ready.b == 1, "pid %d", (int)ready.b);
  return run;
}

/* A zett-init that has been given COMMAND; its next record says how that went. */
static struct run launch_command(struct command command) {
  struct run run = launch_ready((struct options){0});
  struct bytes block = block_of(command);
  send_bytes(&run, block.at, block.size);
  return run;
}

/* A started command. */
static struct run start_command(struct command command) {
  struct run run = launch_command(command);
  expect(&run, STARTED);
  return run;
}

/* All that comes from FD until its end, NUL-terminated; fails when it does not end. */
static struct bytes read_all(int fd) {
  struct bytes all = {0};
  char buffer[65536];
  add(&all, "", 0);
  for (;;) {
    if (wait_readable(fd, PATIENCE_MS) <= 0) fail("a stream stays open");
    ssize_t n = read(fd, buffer, sizeof buffer);
    if (n <= 0) break;
    add(&all, buffer, (size_t)n);
  }
  all.at[all.size] = 0;
  return all;
}

/* Fails unless TEXT comes next. */
static void expect_text(int fd, const char *text) {
  size_t size = strlen(text);
  char buffer[256] = "";
  for (size_t at = 0; at < size;) {
    if (wait_readable(fd, PATIENCE_MS) <= 0) fail("no text '%s'", text);
    ssize_t n = read(fd, buffer + at, size - at);
    if (n <= 0) fail("'%s' instead of '%s'", buffer, text);
    at += (size_t)n;
  }
  if (memcmp(buffer, text, size) != 0) fail("'%s' instead of '%s'", buffer, text);
}

static int launcher_status(struct run *run) {
  int status = 0;
  for (long end = now_ms() + PATIENCE_MS;;) {
    pid_t pid = waitpid(run->launcher, &status, WNOHANG);
    if (pid == run->launcher) return status;
    if (now_ms() > end) fail("zett-init does not end");
    poll(NULL, 0, 1);
  }
}

/* Reads EXIT, USAGE, end-of-file and the end of zett-init. Returns the raw status of the command. */
static int finish(struct run *run, struct record *usage) {
  struct record record;
  int status = (int)expect(run, EXIT).a;
  struct record last = expect(run, USAGE);
  if (usage != NULL) *usage = last;
  CHECK(!next_record(run, &record), "record %d after USAGE", (int)record.type);
  int own = launcher_status(run);
  CHECK(own == 0, "zett-init's own status is %#x", own);
  return status;
}

/* zett-init has refused: it ends with 125, whatever FAILED record it sent. */
static void expect_refusal(struct run *run) {
  struct record record;
  while (next_record(run, &record)) CHECK(record.type == FAILED, "record %d", (int)record.type);
  int status = launcher_status(run);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 125, "status %#x", status);
}

static struct record expect_failure(struct run *run, uint64_t step, uint64_t error) {
  struct record failed = expect(run, FAILED);
  CHECK(failed.a == step && failed.b == error, "FAILED(%d, %d, %d)", (int)failed.a, (int)failed.b,
        (int)failed.c);
  expect_refusal(run);
  return failed;
}

#endif
