/* Other processes, and other identities. A target is a pid, or 0 for a child made for the purpose. */
#include "probe.h"

#include <grp.h>

/* Does nothing, and so works everywhere. */
static int control(char **w) {
  (void)w;
  return 0;
}

static pid_t target(char **w) {
  pid_t pid = atoi(w[0]);
  if (pid != 0)
    return pid;
  pid_t parent = getpid();
  pid = fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* A parent that is gone by then sends no signal any more. */
    if (getppid() != parent)
      _exit(0);
    pause();
    _exit(0);
  }
  return pid;
}

static int attach(char **w) {
  pid_t pid = target(w);
  return worked(ptrace(PTRACE_SEIZE, pid, 0, 0));
}

static char here[] = "zett";

static int read_other(char **w) {
  char text[8];
  pid_t pid = target(w);
  struct iovec local = {text, 4}, remote = {atoi(w[0]) == 0 ? here : (void *)0x400000, 4};
  return worked(process_vm_readv(pid, &local, 1, &remote, 1, 0));
}

static int open_memory(char **w) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/mem", target(w));
  return worked(open(path, O_RDWR));
}

static int steal_descriptor(char **w) {
  int process = (int)syscall(SYS_pidfd_open, target(w), 0);
  for (int fd = 0; fd < 64; fd++)
    if (syscall(SYS_pidfd_getfd, process, fd, 0) >= 0)
      return 0;
  return 1;
}

static int list_descriptors(char **w) {
  char path[64], link[64];
  snprintf(path, sizeof path, "/proc/%d/fd/0", target(w));
  return worked(readlink(path, link, sizeof link));
}

/* Whether a process of this number can be signalled at all; nothing is sent. */
static int signal_null(char **w) {
  return worked(kill(atoi(w[0]), 0));
}

static int signal_stop(char **w) {
  return worked(kill(atoi(w[0]), SIGSTOP));
}

static int signal_kill(char **w) {
  return worked(kill(atoi(w[0]), SIGKILL));
}

static int signal_pidfd(char **w) {
  int process = (int)syscall(SYS_pidfd_open, atoi(w[0]), 0);
  return worked(syscall(SYS_pidfd_send_signal, process, 0, NULL, 0));
}

/* The descriptor's owner is signalled by the kernel. */
static int owner(char **w) {
  int fds[2];
  (void)!pipe(fds);
  return worked(fcntl(fds[0], F_SETOWN, atoi(w[0])));
}

/* Says by a file of that name that it is there. */
static void arrive(char **w) {
  close(open(w[0], O_CREAT | O_WRONLY, 0600));
}

/* Waits with a mark in its command line, deaf to whatever asks it to end: linger MARK [SECONDS] */
static int linger(char **w) {
  for (int number = 1; number < 64; number++)
    signal(number, SIG_IGN);
  arrive(w);
  sleep(w[1] == NULL ? 30 : (unsigned)atoi(w[1]));
  return 0;
}

static int linger_stopped(char **w) {
  arrive(w);
  raise(SIGSTOP);
  sleep(30);
  return 0;
}

/* Two forks, a session of its own, no stream kept. */
static int linger_detached(char **w) {
  if (fork() == 0) {
    setsid();
    if (fork() == 0) {
      for (int fd = 0; fd < 64; fd++)
        close(fd);
      linger(w);
    }
    _exit(0);
  }
  return 0;
}

static int linger_adopted(char **w) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (fork() == 0) {
    setsid();
    linger_detached(w);
    linger(w);
  }
  return 0;
}

/* Its parent is a thread's clone that shares everything with it. */
static int linger_vfork(char **w) {
  if (syscall(SYS_clone, CLONE_FILES | CLONE_FS | CLONE_PARENT | SIGCHLD, 0, 0, 0, 0) == 0)
    linger(w);
  return 0;
}

static int become(char **w) {
  uid_t uid = (uid_t)atoi(w[0]);
  return worked(setuid(uid)) != 0 || getuid() != uid;
}

static int become_group(char **w) {
  return worked(setgid((gid_t)atoi(w[0])));
}

static int groups(char **w) {
  gid_t group = (gid_t)atoi(w[0]);
  return worked(setgroups(1, &group));
}

static int file_user(char **w) {
  uid_t uid = (uid_t)atoi(w[0]);
  syscall(SYS_setfsuid, uid);
  return syscall(SYS_setfsuid, uid) == (long)uid ? 0 : 1;
}

/* Whether it has any privilege, or can take one: that of its bounding set is enough. */
static int privileges(char **w) {
  uint32_t header[2] = {0x20080522, 0}, sets[6] = {0};
  (void)w;
  syscall(SYS_capget, header, sets);
  return (sets[0] | sets[1] | sets[2] | sets[3] | sets[4] | sets[5]) != 0 ? 0 : 1;
}

static int take_privileges(char **w) {
  uint32_t header[2] = {0x20080522, 0}, sets[6] = {1 << 1, 1 << 1, 0, 0, 0, 0};
  (void)w;
  return worked(syscall(SYS_capset, header, sets));
}

static int bounding(char **w) {
  (void)w;
  for (unsigned long capability = 0; capability < 41; capability++)
    if (prctl(PR_CAPBSET_READ, capability, 0, 0, 0) == 1)
      return 0;
  return 1;
}

static int may_gain(char **w) {
  (void)w;
  return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0 ? 0 : 1;
}

static int raise_limit(char **w) {
  struct rlimit limit;
  int resource = atoi(w[0]);
  getrlimit(resource, &limit);
  if (limit.rlim_max == RLIM_INFINITY)
    return 0;
  limit.rlim_cur = limit.rlim_max = limit.rlim_max + 1;
  return worked(setrlimit(resource, &limit));
}

static int nice_up(char **w) {
  (void)w;
  return worked(setpriority(PRIO_PROCESS, 0, -10));
}

static int real_time(char **w) {
  struct sched_param parameters = {.sched_priority = 1};
  (void)w;
  return worked(sched_setscheduler(0, SCHED_FIFO, &parameters));
}

const struct attack process_attacks[] = {{"control", control},
                                         {"attach", attach},
                                         {"read-other", read_other},
                                         {"open-memory", open_memory},
                                         {"steal-descriptor", steal_descriptor},
                                         {"list-descriptors", list_descriptors},
                                         {"signal", signal_null},
                                         {"signal-stop", signal_stop},
                                         {"signal-kill", signal_kill},
                                         {"signal-pidfd", signal_pidfd},
                                         {"owner", owner},
                                         {"linger", linger},
                                         {"linger-stopped", linger_stopped},
                                         {"linger-detached", linger_detached},
                                         {"linger-adopted", linger_adopted},
                                         {"linger-vfork", linger_vfork},
                                         {"become", become},
                                         {"become-group", become_group},
                                         {"groups", groups},
                                         {"file-user", file_user},
                                         {"privileges", privileges},
                                         {"take-privileges", take_privileges},
                                         {"bounding", bounding},
                                         {"may-gain", may_gain},
                                         {"raise-limit", raise_limit},
                                         {"nice", nice_up},
                                         {"real-time", real_time},
                                         {NULL, NULL}};
