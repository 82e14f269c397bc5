/* Which descriptors are open: everything from 3 up that was not named is closed. */
#ifndef ZETT_DESCRIPTORS_H
#define ZETT_DESCRIPTORS_H

#include "kernel.h"

struct dirent {
  u64 inode;
  s64 offset;
  u16 size;
  u8 type;
  char name[];
};

static int is_kept(int fd, const int *kept, int count) {
  for (int i = 0; i < count; i++) {
    if (kept[i] == fd) return 1;
  }
  return 0;
}

/* For kernels before 5.9, and for emulators, that have no close_range. */
static long close_listed(const int *kept, int count) {
  long directory =
      CALL4(SYS_openat, AT_FDCWD, ADDRESS("/proc/self/fd"), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  if (directory < 0) return directory;
  _Alignas(8) char buffer[2048];
  long size;
  while ((size = CALL3(SYS_getdents64, directory, ADDRESS(buffer), sizeof buffer)) > 0) {
    for (long at = 0; at < size;) {
      const struct dirent *entry = (const void *)(buffer + at);
      int fd = number(entry->name);
      if (fd > 2 && fd != directory && !is_kept(fd, kept, count)) close_fd(fd);
      at += entry->size;
    }
  }
  close_fd((int)directory);
  return size;
}

/* Closes all from 3 up but KEPT. Returns 0 or a negated errno. */
static long close_all_but(const int *kept, int count) {
  int from = 3;
  for (;;) {
    int next = 0x7fffffff;
    for (int i = 0; i < count; i++) {
      if (kept[i] >= from && kept[i] < next) next = kept[i];
    }
    long result = next > from ? CALL3(SYS_close_range, from, next - 1, 0) : 0;
    if (result < 0) return close_listed(kept, count);
    if (next == 0x7fffffff) return 0;
    from = next + 1;
  }
}

#endif
