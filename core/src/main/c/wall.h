/*
 * A second wall behind the mounts: Landlock keeps the command from writing anywhere but below the
 * directories of its block, whatever a mount or a link may offer it (landlock(7)). It only takes away:
 * where the kernel has none, the mounts hold alone.
 */
#ifndef ZETT_WALL_H
#define ZETT_WALL_H

#include "block.h"

enum {
  SYS_landlock_create_ruleset = 444,
  SYS_landlock_add_rule = 445,
  SYS_landlock_restrict_self = 446,
};
enum { ASK_VERSION = 1, PATH_BENEATH = 1, O_PATH = 010000000 };

/* Without the right to REFER, version 1 refuses every rename from one directory to another. */
enum { LEAST_VERSION = 2, WITH_TRUNCATE = 3, WITH_SCOPES = 6 };

enum {
  WRITE_FILE = 1 << 1,
  /* Removing and making: directories, files, devices, sockets, FIFOs, links; and moving (REFER). */
  CHANGE_DIRECTORIES = 0x3ff0,
  TRUNCATE = 1 << 14,
  SCOPE_ABSTRACT_SOCKETS = 1 << 0,
  SCOPE_SIGNALS = 1 << 1,
};

struct ruleset {
  u64 files;
  u64 network;
  u64 scoped;
};

struct __attribute__((packed)) beneath {
  u64 allowed;
  s32 directory;
};

/* Lets the process write below one directory. Returns 0 or a negated errno. */
static long allow_below(long ruleset, const char *directory, u64 rights) {
  long fd = CALL4(SYS_openat, AT_FDCWD, ADDRESS(directory), O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
  if (fd < 0) return fd;
  struct beneath rule = {rights, (s32)fd};
  long n = CALL4(SYS_landlock_add_rule, ruleset, PATH_BENEATH, ADDRESS(&rule), 0);
  close_fd((int)fd);
  return n;
}

/*
 * Restricts this process and all that come of it, for good. Returns 0, also where the kernel has no
 * Landlock, or a negated errno with *ROOT set to the number of the directory that it is about.
 */
static long build_wall(const struct block *block, u32 *root) {
  *root = block->root_count;
  if (!(block->flags & WALLED)) return 0;
  long version = CALL3(SYS_landlock_create_ruleset, 0, 0, ASK_VERSION);
  if (version < LEAST_VERSION) return 0;
  struct ruleset description = {WRITE_FILE | CHANGE_DIRECTORIES, 0, 0};
  if (version >= WITH_TRUNCATE) description.files |= TRUNCATE;
  if (version >= WITH_SCOPES) description.scoped = SCOPE_ABSTRACT_SOCKETS | SCOPE_SIGNALS;
  long ruleset = CALL3(SYS_landlock_create_ruleset, ADDRESS(&description), sizeof description, 0);
  if (ruleset < 0) return ruleset;
  for (u32 i = 0; i < block->root_count; i++) {
    long n = allow_below(ruleset, block->roots[i], description.files);
    if (n < 0) {
      *root = i;
      return n;
    }
  }
  long n = CALL2(SYS_landlock_restrict_self, ruleset, 0);
  close_fd((int)ruleset);
  return n;
}

#endif
