/* Uses more than a limit allows, and then lets go of it. Sizes are in MiB. */
#include "probe.h"

#include <pthread.h>
#include <sys/shm.h>

#define MIB (1024L * 1024)

/* Long enough for a limit that is watched from outside. */
static int held(int result) {
  sleep(1);
  return result;
}

static int use_memory(char **w) {
  for (long left = atol(w[0]); left > 0; left--) {
    char *some = malloc(MIB);
    if (some == NULL)
      return 1;
    memset(some, 1, MIB);
  }
  return 0;
}

static int memory(char **w) {
  return held(use_memory(w));
}

/* In children that all hold their piece until the last has its own. */
static int memory_spread(char **w) {
  int status, failed = 0, pieces = 4, ready[2], go[2];
  char size[32], byte, *piece[] = {size, NULL};
  (void)!pipe(ready);
  (void)!pipe(go);
  snprintf(size, sizeof size, "%ld", atol(w[0]) / pieces);
  for (int i = 0; i < pieces; i++)
    if (fork() == 0) {
      int result = use_memory(piece);
      close(go[1]);
      (void)!write(ready[1], "x", 1);
      (void)!read(go[0], &byte, 1);
      _exit(result);
    }
  close(ready[1]);
  for (int i = 0; i < pieces; i++)
    if (read(ready[0], &byte, 1) != 1)
      failed = 1;
  held(0);
  close(go[1]);
  for (int i = 0; i < pieces; i++)
    if (wait(&status) > 0 && status != 0)
      failed = 1;
  return failed;
}

static int fill(int fd, long size) {
  static char some[MIB];
  memset(some, 1, sizeof some);
  for (; size > 0; size--)
    if (write(fd, some, sizeof some) != (ssize_t)sizeof some)
      return worked(-1);
  return 0;
}

static int memory_file(char **w) {
  return held(fill((int)syscall(SYS_memfd_create, "x", 0), atol(w[0])));
}

static int memory_segment(char **w) {
  int id = shmget(IPC_PRIVATE, (size_t)(atol(w[0]) * MIB), 0600);
  char *at = shmat(id, NULL, 0);
  shmctl(id, IPC_RMID, NULL);
  if (at == (char *)-1)
    return 1;
  memset(at, 1, (size_t)(atol(w[0]) * MIB));
  return held(0);
}

/* keep-file PATH SIZE: the same, and keeps it for a while. */
static int keep_file(char **w) {
  int fd = open(w[0], O_CREAT | O_EXCL | O_WRONLY, 0600);
  int result = held(fd < 0 ? worked(fd) : fill(fd, atol(w[1])));
  unlink(w[0]);
  return result;
}

/* fill-file PATH SIZE: the file is gone afterwards. */
static int fill_file(char **w) {
  int fd = open(w[0], O_CREAT | O_EXCL | O_WRONLY, 0600);
  int result = fd < 0 ? worked(fd) : fill(fd, atol(w[1]));
  unlink(w[0]);
  return result;
}

static int grow_file(char **w) {
  int fd = open(w[0], O_CREAT | O_EXCL | O_WRONLY, 0600);
  int result = fd < 0 ? worked(fd) : worked(ftruncate(fd, atol(w[1]) * MIB));
  unlink(w[0]);
  return result;
}

static int allocate_file(char **w) {
  int fd = open(w[0], O_CREAT | O_EXCL | O_WRONLY, 0600);
  int result = fd < 0 ? worked(fd) : worked(posix_fallocate(fd, 0, atol(w[1]) * MIB) == 0 ? 0 : -1);
  unlink(w[0]);
  return result;
}

/* As many children at once as it is told, which it ends itself. */
static int many_processes(char **w) {
  long wanted = atol(w[0]), made = 0;
  pid_t pids[512];
  while (made < wanted && made < 512 && (pids[made] = fork()) >= 0) {
    if (pids[made] == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      pause();
      _exit(0);
    }
    made++;
  }
  for (long i = 0; i < made; i++)
    kill(pids[i], SIGKILL);
  return made < wanted;
}

static void *wait_for_ever(void *nothing) {
  pause();
  return nothing;
}

static int many_threads(char **w) {
  pthread_t thread;
  for (long left = atol(w[0]); left > 0; left--)
    if (pthread_create(&thread, NULL, wait_for_ever, NULL) != 0)
      return 1;
  return 0;
}

static int many_descriptors(char **w) {
  for (long left = atol(w[0]); left > 0; left--)
    if (dup(0) < 0)
      return worked(-1);
  return 0;
}

/* burn MILLISECONDS CHILDREN: processor time of all together. */
static int burn(char **w) {
  int status, failed = 0, children = atoi(w[1]);
  for (int i = 0; i < children; i++)
    if (fork() == 0) {
      while (clock() < atol(w[0]) / children * (CLOCKS_PER_SEC / 1000))
        ;
      _exit(0);
    }
  for (int i = 0; i < children; i++)
    if (wait(&status) > 0 && status != 0)
      failed = 1;
  return failed;
}

const struct attack limit_attacks[] = {{"memory", memory},
                                       {"memory-spread", memory_spread},
                                       {"memory-file", memory_file},
                                       {"memory-segment", memory_segment},
                                       {"keep-file", keep_file},
                                       {"fill-file", fill_file},
                                       {"grow-file", grow_file},
                                       {"allocate-file", allocate_file},
                                       {"many-processes", many_processes},
                                       {"many-threads", many_threads},
                                       {"many-descriptors", many_descriptors},
                                       {"burn", burn},
                                       {NULL, NULL}};
