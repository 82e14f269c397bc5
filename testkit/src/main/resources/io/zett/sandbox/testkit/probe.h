/* What the parts of the probe share. A function returns 0 when its attack worked, else 1. */
#ifndef PROBE_H
#define PROBE_H

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct attack {
  const char *name;
  int (*run)(char **words);
};

/* Whether a call worked; says why not. */
static inline int worked(long result) {
  if (result >= 0)
    return 0;
  perror("refused");
  return 1;
}

/* Whether a call came as far as its own checks: it worked or failed with this error. */
static inline int reached(long result, int error) {
  return result < 0 && errno == error ? 0 : worked(result);
}

extern const struct attack call_attacks[], mount_attacks[], mode_attacks[], file_attacks[],
    socket_attacks[], process_attacks[], limit_attacks[];

#endif
