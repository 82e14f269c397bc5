/* What this program does when it is the command inside: it shows what it was given, or misbehaves. */
#ifndef COMMAND_H
#define COMMAND_H

#include "caller.h"

static void show_file(const char *path) {
  char buffer[65536];
  int fd = open(path, O_RDONLY);
  for (ssize_t n; (n = read(fd, buffer, sizeof buffer)) > 0;) {
    if (write(STDOUT_FILENO, buffer, (size_t)n) != n) _exit(98);
  }
  close(fd);
}

static void show_limits(char **resources) {
  for (; *resources != NULL; resources++) {
    struct rlimit limit;
    getrlimit((__rlimit_resource_t)atoi(*resources), &limit);
    printf("%s %lld %lld\n", *resources, (long long)limit.rlim_cur, (long long)limit.rlim_max);
  }
}

static void show_descriptors(void) {
  DIR *list = opendir("/proc/self/fd");
  for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
    if (entry->d_name[0] != '.' && atoi(entry->d_name) != dirfd(list)) printf("%s ", entry->d_name);
  }
  closedir(list);
}

/* What of process PID can be seen; each needs the right to trace it. */
static void look_into(const char *pid) {
  const char *parts[] = {"root", "cwd", "fd/6"};
  char path[64];
  char target[4096];
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    snprintf(path, sizeof path, "/proc/%s/%s", pid, parts[i]);
    if (readlink(path, target, sizeof target) >= 0) printf("%s ", parts[i]);
  }
  snprintf(path, sizeof path, "/proc/%s/mem", pid);
  if (open(path, O_RDONLY | O_CLOEXEC) >= 0) printf("mem ");
  snprintf(path, sizeof path, "/proc/%s/environ", pid);
  if (open(path, O_RDONLY | O_CLOEXEC) >= 0) printf("environ ");
}

static void show_signals_and_session(void) {
  char line[256];
  FILE *status = fopen("/proc/self/status", "r");
  while (fgets(line, sizeof line, status) != NULL) {
    if (strncmp(line, "SigBlk", 6) == 0 || strncmp(line, "SigIgn", 6) == 0) fputs(line, stdout);
  }
  printf("leader %d, default SIGCHLD %d\n", getsid(0) == getpid(),
         signal(SIGCHLD, SIG_DFL) == SIG_DFL);
}

/* Processes that have ended and that our parent, zett-init, has not reaped. */
static int zombies_of_parent(void) {
  int count = 0;
  DIR *list = opendir("/proc");
  for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
    char path[300];
    char state;
    int parent;
    if (atoi(entry->d_name) == 0) continue;
    snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
    FILE *stat = fopen(path, "r");
    if (stat == NULL) continue;
    if (fscanf(stat, "%*d (%*[^)]) %c %d", &state, &parent) == 2 && state == 'Z' &&
        parent == getppid()) {
      count++;
    }
    fclose(stat);
  }
  closedir(list);
  return count;
}

static void leave_orphans(int count) {
  for (int i = 0; i < count; i++) {
    pid_t pid = fork();
    if (pid == 0) {
      if (fork() == 0) {
        poll(NULL, 0, i % 10);
        _exit(0);
      }
      _exit(0);
    }
    waitpid(pid, NULL, 0);
  }
  /* One count of none is the proof: an orphan that ends after it is another matter. */
  int left;
  for (long end = now_ms() + 5000; (left = zombies_of_parent()) > 0 && now_ms() < end;) {
    poll(NULL, 0, 10);
  }
  printf("%d zombies\n", left);
}

/* Sleepers in sessions of their own that hold standard output; the last one says when all are there. */
static void leave_sleepers(int count) {
  int ready[2];
  char byte = 0;
  if (pipe(ready) != 0) _exit(98);
  for (int i = 0; i < count; i++) {
    if (fork() == 0) {
      setsid();
      signal(SIGTERM, SIG_IGN);
      signal(SIGHUP, SIG_IGN);
      if (write(ready[1], &byte, 1) != 1) _exit(98);
      for (;;) pause();
    }
  }
  for (int i = 0; i < count; i++) {
    if (read(ready[0], &byte, 1) != 1) _exit(98);
  }
  if (write(STDOUT_FILENO, "there\n", 6) != 6) _exit(98);
}

/* Each process lives only until its own child is there. */
static void flee(void) {
  if (fork() != 0) return;
  setsid();
  for (;;) {
    pid_t pid = fork();
    if (pid > 0) _exit(0);
  }
}

static void burn(int ms, int mib) {
  size_t size = (size_t)mib << 20;
  volatile char *memory = malloc(size);
  for (size_t at = 0; at < size; at += 4096) memory[at] = 1;
  struct timespec t;
  do {
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  } while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < ms);
}

static int act(char **argv) {
  const char *role = argv[2];
  if (strcmp(role, "mark") == 0) {
    close(open(argv[3], O_CREAT | O_WRONLY, 0600));
  } else if (strcmp(role, "arguments") == 0) {
    show_file("/proc/self/cmdline");
  } else if (strcmp(role, "environment") == 0) {
    show_file("/proc/self/environ");
  } else if (strcmp(role, "directory") == 0) {
    char path[4096];
    fputs(getcwd(path, sizeof path), stdout);
  } else if (strcmp(role, "limits") == 0) {
    show_limits(argv + 3);
  } else if (strcmp(role, "descriptors") == 0) {
    show_descriptors();
  } else if (strcmp(role, "look") == 0) {
    look_into(argv[3]);
  } else if (strcmp(role, "signals") == 0) {
    show_signals_and_session();
  } else if (strcmp(role, "pid") == 0) {
    printf("%d", getpid());
  } else if (strcmp(role, "orphans") == 0) {
    leave_orphans(200);
  } else if (strcmp(role, "sleepers") == 0) {
    leave_sleepers(atoi(argv[3]));
    if (argv[4] != NULL) {
      for (;;) pause();
    }
  } else if (strcmp(role, "flee") == 0) {
    flee();
  } else if (strcmp(role, "burn") == 0) {
    burn(300, 64);
  } else {
    return 97;
  }
  fflush(stdout);
  return 0;
}

#endif
