// Starts a program again and again as cheaply as a C program can, and says how long it took: the other
// half of an interleaved pair.
//
//   spawnloop [-e] [-d FD=FILE]... [-k | -i BYTES] -- PROGRAM ARGUMENT...
//
//   -e          the program gets the environment; else it has none
//   -d FD=FILE  its descriptor FD is an anonymous copy of FILE, at its beginning each time
//   -k          its standard output is read and kept in memory, all of it
//   -i BYTES    so many zeros are written to its standard input
//
// Each line on standard input is a count. The program is run so often, one after the other, and one line
// answers: the mean time from before the start to the end, in nanoseconds. A program that does not end with
// status 0 ends this one with status 1. Where nothing else is said, its standard streams are /dev/null.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
  MAX_FILES = 8,
  // Above every number that a child's descriptor can have.
  OWN_DESCRIPTORS = 100,
  FEED = 1 << 20,
  FIRST_BUFFER = 1 << 16,
};

struct file {
  int source;
  int target;
};

struct job {
  char **argv;
  char **environment;
  struct file files[MAX_FILES];
  int file_count;
  int null;
  int keep;
  long feed;
};

static void die(const char *what) {
  fprintf(stderr, "spawnloop: %s: %s\n", what, strerror(errno));
  exit(1);
}

static void check(int error, const char *what) {
  if (error != 0) {
    errno = error;
    die(what);
  }
}

// The same descriptor with a number that no child uses, closed on exec.
static int moved(int fd, const char *what) {
  int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, OWN_DESCRIPTORS);
  if (high < 0) die(what);
  close(fd);
  return high;
}

static int anonymous_copy(const char *path) {
  int from = open(path, O_RDONLY | O_CLOEXEC);
  int to = memfd_create("spawnloop", MFD_CLOEXEC);
  if (from < 0 || to < 0) die(path);
  char buffer[1 << 16];
  ssize_t count;
  while ((count = read(from, buffer, sizeof buffer)) > 0) {
    if (write(to, buffer, (size_t)count) != count) die(path);
  }
  if (count < 0) die(path);
  close(from);
  return moved(to, path);
}

static void add_file(struct job *job, char *option) {
  char *path = strchr(option, '=');
  if (path == NULL || job->file_count == MAX_FILES) {
    errno = EINVAL;
    die(option);
  }
  *path++ = '\0';
  job->files[job->file_count].target = atoi(option);
  job->files[job->file_count++].source = anonymous_copy(path);
}

static void feed(int fd, long left) {
  static const char zeros[FEED];
  while (left > 0) {
    ssize_t count = write(fd, zeros, left < FEED ? (size_t)left : FEED);
    if (count < 0) die("write");
    left -= count;
  }
}

// Reads to the end and frees it only then, as somebody would who wanted all of it at once.
static void keep(int fd) {
  size_t size = FIRST_BUFFER, used = 0;
  char *all = malloc(size);
  ssize_t count = 1;
  while (all != NULL && count > 0) {
    if (used == size) all = realloc(all, size *= 2);
    if (all == NULL) break;
    count = read(fd, all + used, size - used);
    if (count < 0) die("read");
    used += (size_t)count;
  }
  if (all == NULL) die("memory");
  free(all);
}

static void set_up(const struct job *job, posix_spawn_file_actions_t *actions, int in, int out) {
  check(posix_spawn_file_actions_init(actions), "posix_spawn");
  check(posix_spawn_file_actions_adddup2(actions, in < 0 ? job->null : in, 0), "stdin");
  check(posix_spawn_file_actions_adddup2(actions, out < 0 ? job->null : out, 1), "stdout");
  for (int i = 0; i < job->file_count; i++) {
    lseek(job->files[i].source, 0, SEEK_SET);
    check(posix_spawn_file_actions_adddup2(actions, job->files[i].source, job->files[i].target),
          "posix_spawn");
  }
}

static void run_once(const struct job *job, const posix_spawnattr_t *attributes) {
  int pipe_ends[2] = {-1, -1};
  if (job->keep || job->feed > 0) {
    if (pipe2(pipe_ends, O_CLOEXEC) != 0) die("pipe");
    pipe_ends[0] = moved(pipe_ends[0], "pipe");
    pipe_ends[1] = moved(pipe_ends[1], "pipe");
  }
  posix_spawn_file_actions_t actions;
  set_up(job, &actions, job->feed > 0 ? pipe_ends[0] : -1, job->keep ? pipe_ends[1] : -1);
  pid_t pid;
  check(posix_spawnp(&pid, job->argv[0], &actions, attributes, job->argv, job->environment),
        job->argv[0]);
  posix_spawn_file_actions_destroy(&actions);
  if (job->feed > 0) {
    close(pipe_ends[0]);
    feed(pipe_ends[1], job->feed);
    close(pipe_ends[1]);
  } else if (job->keep) {
    close(pipe_ends[1]);
    keep(pipe_ends[0]);
    close(pipe_ends[0]);
  }
  int status;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) die("waitpid");
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    fprintf(stderr, "spawnloop: %s ended with wait status 0x%x\n", job->argv[0], status);
    exit(1);
  }
}

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int argc, char **argv) {
  static char *nothing[] = {NULL};
  struct job job = {.environment = nothing};
  int option;
  while ((option = getopt(argc, argv, "+ed:ki:")) != -1) {
    switch (option) {
      case 'e': job.environment = environ; break;
      case 'd': add_file(&job, optarg); break;
      case 'k': job.keep = 1; break;
      case 'i': job.feed = atol(optarg); break;
      default: return 2;
    }
  }
  job.argv = argv + optind;
  if (job.argv[0] == NULL || (job.keep && job.feed > 0)) {
    fprintf(stderr, "usage: spawnloop [-e] [-d FD=FILE]... [-k | -i BYTES] -- PROGRAM ARGUMENT...\n");
    return 2;
  }
  job.null = moved(open("/dev/null", O_RDWR | O_CLOEXEC), "/dev/null");

  // A program that leaves its input unread is told of by its status; it gets the usual signal itself.
  signal(SIGPIPE, SIG_IGN);
  sigset_t usual;
  posix_spawnattr_t attributes;
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  check(posix_spawnattr_init(&attributes), "posix_spawn");
  check(posix_spawnattr_setsigdefault(&attributes, &usual), "posix_spawn");
  check(posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF), "posix_spawn");

  char line[32];
  while (fgets(line, sizeof line, stdin) != NULL) {
    long count = atol(line);
    if (count < 1) return 2;
    long long begin = now();
    for (long i = 0; i < count; i++) run_once(&job, &attributes);
    printf("%lld\n", (now() - begin) / count);
    fflush(stdout);
  }
  return 0;
}
