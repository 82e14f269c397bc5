/*
 * The processes below this one where no pid namespace holds them together. Being a subreaper, this
 * process is the ancestor of all of them, also of those that detached; /proc says who they are.
 */
#ifndef ZETT_DESCENDANTS_H
#define ZETT_DESCENDANTS_H

#include "descriptors.h"

struct process {
  int pid;
  int parent; /* negated once the process is known to be a descendant */
  u64 started; /* in clock ticks; with the pid it names a process for ever */
};

enum { MAX_PROCESSES = 1 << 22 }; /* the kernel's own bound of pid_max */

static size_t put_number(char *to, int value) {
  char digits[10];
  size_t count = 0;
  do {
    digits[count++] = (char)('0' + value % 10);
    value /= 10;
  } while (value > 0);
  for (size_t i = 0; i < count; i++) to[i] = digits[count - 1 - i];
  return count;
}

static u64 digits_at(const char *text) {
  u64 value = 0;
  for (; *text >= '0' && *text <= '9'; text++) value = value * 10 + (u64)(*text - '0');
  return value;
}

/* Fills in all but the pid from /proc/PID/stat. Returns 0 when there is no such process (any more). */
static int look_up(struct process *process) {
  char text[1024] = "/proc/";
  size_t end = 6 + put_number(text + 6, process->pid);
  memcpy(text + end, "/stat", 6);
  long fd = CALL4(SYS_openat, AT_FDCWD, ADDRESS(text), O_RDONLY | O_CLOEXEC, 0);
  if (fd < 0) return 0;
  long size = CALL3(SYS_read, fd, ADDRESS(text), sizeof text - 1);
  close_fd((int)fd);
  if (size <= 0) return 0;
  text[size] = 0;
  /* "pid (name) state ppid ...": the name may hold anything, so the last parenthesis counts. The
     parent is the second field after it, the start the twentieth (proc_pid_stat(5): 4 and 22). */
  while (size > 0 && text[size] != ')') size--;
  const char *at = text + size;
  for (int field = 1; field <= 20; field++) {
    while (*at != 0 && *at != ' ') at++;
    if (*at == 0) return 0;
    at++;
    if (field == 2) process->parent = (int)digits_at(at);
  }
  process->started = digits_at(at);
  return 1;
}

/* Returns how many there are, or a negated errno. */
static long list_processes(struct process *list) {
  long directory =
      CALL4(SYS_openat, AT_FDCWD, ADDRESS("/proc"), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  if (directory < 0) return directory;
  _Alignas(8) static char buffer[16384];
  long count = 0;
  long size;
  while ((size = CALL3(SYS_getdents64, directory, ADDRESS(buffer), sizeof buffer)) > 0) {
    for (long at = 0; at < size;) {
      const struct dirent *entry = (const void *)(buffer + at);
      at += entry->size;
      struct process process = {number(entry->name), 0, 0};
      if (process.pid > 0 && look_up(&process) && count < MAX_PROCESSES) list[count++] = process;
    }
  }
  close_fd((int)directory);
  return count;
}

/* /proc lists processes by rising number. */
static int is_marked(const struct process *list, long count, int pid) {
  long low = 0;
  while (low < count) {
    long middle = low + (count - low) / 2;
    if (list[middle].pid == pid) return list[middle].parent < 0;
    if (list[middle].pid < pid) {
      low = middle + 1;
    } else {
      count = middle;
    }
  }
  return 0;
}

static void mark_descendants(struct process *list, long count, int self) {
  int changed;
  do {
    changed = 0;
    for (long i = 0; i < count; i++) {
      int parent = list[i].parent;
      if (parent > 0 && (parent == self || is_marked(list, count, parent))) {
        list[i].parent = -parent;
        changed = 1;
      }
    }
  } while (changed);
}

/*
 * A child of ours keeps its number until we reap it, so it can be signalled by it. A deeper one may
 * have ended since the look into /proc and its number may be a stranger's: a pidfd holds the process
 * while it is looked at once more.
 */
static long signal_one(const struct process *process, int self, int signal) {
  struct process now = {process->pid, 0, 0};
  if (process->parent == -self) return CALL2(SYS_kill, process->pid, signal);
  long fd = CALL2(SYS_pidfd_open, process->pid, 0);
  if (fd < 0) return 0;
  int same = look_up(&now) && now.started == process->started;
  long result = same ? CALL4(SYS_pidfd_send_signal, fd, signal, 0, 0) : 0;
  close_fd((int)fd);
  return result;
}

/* Returns whether it is of no use to try again: none can be found, or none may be signalled. */
static int signal_descendants(int signal) {
  static struct process *list;
  int self = (int)CALL0(SYS_getpid);
  long denied = 0;
  long reached = 0;
  if (list == NULL) list = allocate(MAX_PROCESSES * sizeof *list);
  if (list == NULL) return 1;
  long count = list_processes(list);
  mark_descendants(list, count, self);
  for (long i = 0; i < count; i++) {
    if (list[i].parent >= 0) continue;
    if (signal_one(&list[i], self, signal) == -EPERM) {
      denied++;
    } else {
      reached++;
    }
  }
  return count < 0 || (denied > 0 && reached == 0);
}

#endif
