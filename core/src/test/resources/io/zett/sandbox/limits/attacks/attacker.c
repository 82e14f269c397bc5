/* Tries to use more than it may, and tells how far it came: one byte on standard output for each unit that
   it really had at that moment, written at once, so that nothing is lost when it is killed. Every mode but
   `bomb` ends by itself soon, also when no limit holds. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MIB (1UL << 20)

static void tell(char unit) {
  if (write(1, &unit, 1) != 1) _exit(4);
}

static int refused(const char *what) {
  fprintf(stderr, "refused: %s: %s\n", what, strerror(errno));
  return 3;
}

static void pause_millis(long millis) {
  struct timespec time = {millis / 1000, millis % 1000 * 1000000};
  while (nanosleep(&time, &time) < 0 && errno == EINTR) {
  }
}

/* Children wait for the end of a pipe, so that all are there at once however slow the machine is. */
static int gate[2], ready[2];

static void open_gate(void) {
  if (pipe(gate) < 0 || pipe(ready) < 0) _exit(5);
}

static void wait_at_gate(void) {
  char byte;
  close(gate[1]);
  if (write(ready[1], "r", 1) != 1) _exit(5);
  close(ready[1]);
  while (read(gate[0], &byte, 1) < 0 && errno == EINTR) {
  }
}

/* Until all are at the gate or dead, and so long. */
static void let_through(long millis) {
  char byte;
  close(ready[1]);
  while (read(ready[0], &byte, 1) > 0) {
  }
  pause_millis(millis);
  close(gate[1]);
}

static long cpu_millis(int who) {
  struct rusage use;
  getrusage(who, &use);
  return (use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1000 + (use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1000;
}

static long wall_millis(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Waits for all children; the worst of what became of them. */
static int wait_all(void) {
  int status, worst = 0;
  while (1) {
    if (wait(&status) < 0) {
      if (errno == EINTR) continue;
      return worst;
    }
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (code > worst) worst = code;
  }
}

/* ---- memory: one byte for each MiB that is held */

static int touch(char *at, size_t size) {
  madvise(at, size, MADV_HUGEPAGE);
  for (size_t done = 0; done < size; done += MIB) {
    /* One call for each MiB where the kernel has it: a slow machine's page faults are very slow. */
    if (madvise(at + done, MIB, 23 /* MADV_POPULATE_WRITE */) < 0) {
      for (size_t page = 0; page < MIB; page += 4096) at[done + page] = 1;
    }
    tell('m');
  }
  return 0;
}

static int hold_file(const char *path, size_t size) {
  static char block[MIB];
  int fd = open(path, O_CREAT | O_WRONLY, 0600);
  if (fd < 0) return refused("open");
  memset(block, 1, sizeof block);
  for (size_t done = 0; done < size; done += MIB) {
    for (size_t part = 0; part < MIB;) {
      ssize_t count = write(fd, block + part, MIB - part);
      if (count < 0) return refused("write");
      part += count;
    }
    tell('m');
  }
  return 0;
}

static int hold_some(const char *kind, size_t size) {
  char *at = MAP_FAILED;
  if (!strcmp(kind, "private")) {
    at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  } else if (!strcmp(kind, "shared")) {
    at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  } else if (!strcmp(kind, "memfd")) {
    int fd = memfd_create("held", 0);
    if (fd < 0 || ftruncate(fd, size) < 0) return refused("memfd");
    at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  } else if (!strcmp(kind, "sysv")) {
    int id = shmget(IPC_PRIVATE, size, IPC_CREAT | 0600);
    if (id < 0) return refused("shmget");
    at = shmat(id, NULL, 0);
    if (at == (char *) -1) at = MAP_FAILED;
    shmctl(id, IPC_RMID, NULL);
  } else {
    return hold_file(kind, size);
  }
  if (at == MAP_FAILED) return refused("mmap");
  return touch(at, size);
}

/* hold KIND MIBS PROCESSES MILLIS: together, all at once, for so long after the last is done. */
static int hold(char **argument) {
  const char *kind = argument[0];
  size_t each = strtoul(argument[1], NULL, 10) * MIB;
  int processes = atoi(argument[2]);
  long millis = atol(argument[3]);
  if (processes == 1) {
    int code = hold_some(kind, each);
    pause_millis(millis);
    return code;
  }
  open_gate();
  for (int i = 0; i < processes; i++) {
    pid_t child = fork();
    if (child < 0) return refused("fork");
    if (child == 0) {
      int code = hold_some(kind, each / processes);
      if (code == 0) wait_at_gate();
      _exit(code);
    }
  }
  let_through(millis);
  return wait_all();
}

/* inherit MIBS PROCESSES MILLIS: that much, and children who share it. */
static int inherit(char **argument) {
  int code = hold_some("private", strtoul(argument[0], NULL, 10) * MIB);
  for (int i = 0; i < atoi(argument[1]); i++) {
    if (fork() == 0) {
      pause_millis(atol(argument[2]));
      _exit(0);
    }
  }
  wait_all();
  return code;
}

/* burst MIBS: quiet for a while, then as much as it can get at once. */
static int burst(char **argument) {
  pause_millis(170);
  return hold_some("private", strtoul(argument[0], NULL, 10) * MIB);
}

/* ---- processes: one byte for each that is alive */

static int forks(char **argument) {
  int wanted = atoi(argument[0]), made = 0;
  open_gate();
  for (; made < wanted; made++) {
    pid_t child = fork();
    if (child < 0) break;
    if (child == 0) {
      wait_at_gate();
      _exit(0);
    }
  }
  int error = errno;
  for (int i = 0; i < made; i++) tell('f');
  errno = error;
  int code = made < wanted ? refused("fork") : 0;
  let_through(atol(argument[1]));
  wait_all();
  return code;
}

static void *sleeper(void *nothing) {
  while (1) pause();
  return nothing;
}

static int threads(char **argument) {
  int wanted = atoi(argument[0]), made = 0;
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 65536);
  for (; made < wanted; made++) {
    pthread_t thread;
    int error = pthread_create(&thread, &small, sleeper, NULL);
    if (error) {
      errno = error;
      break;
    }
  }
  int error = errno;
  for (int i = 0; i < made; i++) tell('t');
  errno = error;
  int code = made < wanted ? refused("pthread_create") : 0;
  pause_millis(atol(argument[1]));
  return code;
}

static int bomb(char **argument) {
  while (argument) {
    if (fork() == 0) setsid();
  }
  return 0;
}

/* ---- processor time: one byte for each 10 ms that were used */

static int burn_some(long millis, long until) {
  for (long told = cpu_millis(RUSAGE_SELF); cpu_millis(RUSAGE_SELF) < millis && wall_millis() < until;) {
    if (cpu_millis(RUSAGE_SELF) >= told + 10) {
      told += 10;
      tell('b');
    }
  }
  return 0;
}

/* burn HOW PROCESSES MILLIS: each that much processor time; never longer than a minute. */
static int burn(char **argument) {
  const char *how = argument[0];
  int processes = atoi(argument[1]);
  long millis = atol(argument[2]), until = wall_millis() + 60000;
  int serial = !strcmp(how, "serial") || !strcmp(how, "forgotten");
  if (!strcmp(how, "forgotten")) signal(SIGCHLD, SIG_IGN);
  if (!strcmp(how, "trapped")) signal(SIGXCPU, SIG_IGN);
  for (int i = 0; i < processes; i++) {
    pid_t child = fork();
    if (child < 0) return refused("fork");
    if (child == 0) _exit(burn_some(millis, until));
    if (serial) wait_all();
  }
  return wait_all();
}

/* spin PROCESSES MILLIS: as much processor time as they can get in that time. */
static int spin(char **argument) {
  int processes = atoi(argument[0]);
  long until = wall_millis() + atol(argument[1]);
  for (int i = 0; i < processes; i++) {
    if (fork() == 0) _exit(burn_some(1L << 40, until));
  }
  return wait_all();
}

/* ---- files */

/* files MOST: one byte for each descriptor that is open at once. */
static int files(char **argument) {
  int most = atoi(argument[0]), open_now = 0, last = 0;
  for (int fd = 0; fd < most; fd++) open_now += fcntl(fd, F_GETFD) >= 0;
  while (open_now < most && (last = dup(0)) >= 0) open_now++;
  int error = errno;
  for (int i = 0; i < open_now; i++) {
    if (write(1, "o", 1) != 1) return 4;
  }
  errno = error;
  return last < 0 ? refused("dup") : 0;
}

/* file PATH BYTES [quiet|sparse|fallocate]: one file of that size. */
static int file(char **argument) {
  long bytes = atol(argument[1]);
  const char *how = argument[2] ? argument[2] : "";
  if (!strcmp(how, "quiet")) signal(SIGXFSZ, SIG_IGN);
  int fd = open(argument[0], O_CREAT | O_TRUNC | O_WRONLY, 0600);
  if (fd < 0) return refused("open");
  if (!strcmp(how, "sparse")) return ftruncate(fd, bytes) < 0 ? refused("ftruncate") : 0;
  if (!strcmp(how, "fallocate")) return fallocate(fd, 0, 0, bytes) < 0 ? refused("fallocate") : 0;
  while (bytes > 0) {
    static char block[4096];
    ssize_t count = write(fd, block, bytes < 4096 ? bytes : 4096);
    if (count < 0) return refused("write");
    bytes -= count;
  }
  return 0;
}

/* The outer guard of one process: whatever does not hold, it never has more than a GiB. */
static void bound_myself(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_AS, &limit);
  if (limit.rlim_cur > 1UL << 30) {
    limit.rlim_cur = 1UL << 30;
    setrlimit(RLIMIT_AS, &limit);
  }
}

int main(int count, char **argument) {
  bound_myself();
  static const struct { const char *name; int (*run)(char **); int least; } modes[] = {
      {"hold", hold, 4}, {"burst", burst, 1}, {"inherit", inherit, 3}, {"forks", forks, 2}, {"threads", threads, 2}, {"bomb", bomb, 0},
      {"burn", burn, 3}, {"spin", spin, 2}, {"files", files, 1}, {"file", file, 2}};
  for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
    if (count > 1 && !strcmp(argument[1], modes[i].name) && count - 2 >= modes[i].least) return modes[i].run(argument + 2);
  }
  return 2;
}
