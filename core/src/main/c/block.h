/*
 * The start block: the caller's token and, in the same breath, all that the command is to be given.
 * Whatever does not parse to its last byte starts nothing.
 *
 * Header: u32 magic, u32 version, u32 flags, u32 payload length. Payload: u32 count of limits, each
 * {u32 resource, u32 zero, u64 soft, u64 hard}; u32 length of the directory with its NUL, directory;
 * u32 argc, u32 envc, u32 count of writable directories, and that many strings, each ended by a NUL.
 * Flag 1 builds the second wall, see wall.h; without it there are no writable directories. Flag 2 sends
 * the standard error where the standard output goes, flag 4 makes the standard input an empty one. Flag 8
 * gives the command a terminal, see terminal.h; the payload then begins with u16 columns, u16 rows.
 */
#ifndef ZETT_BLOCK_H
#define ZETT_BLOCK_H

#include "kernel.h"

enum { WALLED = 1, MERGED = 2, NO_INPUT = 4, TERMINAL = 8, ALL_FLAGS = 15 };
enum { BLOCK_MAGIC = 0x5454455A, PROTOCOL = 3, MAX_PAYLOAD = 64 << 20, LIMIT_SIZE = 24 };

struct block {
  const u8 *limits; /* limit_count times LIMIT_SIZE bytes, unaligned */
  u32 limit_count;
  const char *directory;
  const char **argv; /* one spare slot lies before it, for the name of a shell */
  const char **envp;
  u32 argc;
  u32 flags;
  u32 window; /* rows in the upper half, columns in the lower */
  const char **roots; /* the directories that the command may write */
  u32 root_count;
};

struct cursor {
  u8 *at;
  size_t left;
};

static u8 *take(struct cursor *from, size_t size) {
  if (from->left < size) return NULL;
  u8 *at = from->at;
  from->at += size;
  from->left -= size;
  return at;
}

static int take_number(struct cursor *from, u32 *value) {
  const u8 *at = take(from, sizeof *value);
  if (at == NULL) return 0;
  memcpy(value, at, sizeof *value);
  return 1;
}

static const char *take_string(struct cursor *from) {
  for (size_t i = 0; i < from->left; i++) {
    if (from->at[i] == 0) return (const char *)take(from, i + 1);
  }
  return NULL;
}

static int take_strings(struct cursor *from, const char **to, u32 count) {
  for (u32 i = 0; i < count; i++) {
    to[i] = take_string(from);
    if (to[i] == NULL) return 0;
  }
  return 1;
}

/* Returns 0, or the negated errno that says what is wrong with it. */
static long parse_block(struct cursor from, struct block *block) {
  u32 directory_size;
  u32 envc;
  block->window = 0;
  if (block->flags & TERMINAL && !take_number(&from, &block->window)) return -EPROTO;
  if (!take_number(&from, &block->limit_count)) return -EPROTO;
  block->limits = take(&from, (size_t)block->limit_count * LIMIT_SIZE);
  if (block->limits == NULL) return -EPROTO;
  for (u32 i = 0; i < block->limit_count; i++) {
    u32 zero;
    memcpy(&zero, block->limits + (size_t)i * LIMIT_SIZE + 4, sizeof zero);
    if (zero != 0) return -EPROTO;
  }
  if (!take_number(&from, &directory_size)) return -EPROTO;
  const u8 *after = from.at + directory_size;
  if (directory_size > from.left) return -EPROTO;
  block->directory = take_string(&from);
  if (block->directory == NULL || from.at != after) return -EPROTO;
  if (!take_number(&from, &block->argc) || !take_number(&from, &envc)) return -EPROTO;
  if (!take_number(&from, &block->root_count)) return -EPROTO;
  u64 strings = (u64)block->argc + envc + block->root_count;
  /* Every string has at least its NUL: this bounds the vectors by the bytes that really came. */
  if (block->argc == 0 || strings > from.left) return -EPROTO;
  if (!(block->flags & WALLED) && block->root_count != 0) return -EPROTO;
  const char **slots = allocate((strings + 3) * sizeof *slots);
  if (slots == NULL) return -ENOMEM;
  block->argv = slots + 1;
  block->envp = block->argv + block->argc + 1;
  block->roots = block->envp + envc + 1;
  if (!take_strings(&from, block->argv, block->argc)) return -EPROTO;
  if (!take_strings(&from, block->envp, envc)) return -EPROTO;
  if (!take_strings(&from, block->roots, block->root_count)) return -EPROTO;
  return from.left == 0 ? 0 : -EPROTO;
}

/* Reads SIZE bytes. Returns 1, 0 when the caller is gone before the last of them, or a negated errno. */
static long read_fully(int fd, u8 *to, size_t size) {
  while (size > 0) {
    long n = CALL3(SYS_read, fd, ADDRESS(to), (long)size);
    if (n == -EINTR) continue;
    if (n <= 0) return n;
    to += n;
    size -= (size_t)n;
  }
  return 1;
}

/* Returns 1 when BLOCK is whole, 0 when the caller is gone, or a negated errno. */
static long read_block(int fd, struct block *block) {
  u32 header[4];
  long n = read_fully(fd, (u8 *)header, sizeof header);
  if (n <= 0) return n;
  if (header[0] != BLOCK_MAGIC || header[1] != PROTOCOL || header[2] > ALL_FLAGS) return -EPROTO;
  block->flags = header[2];
  if (header[3] > MAX_PAYLOAD) return -E2BIG;
  struct cursor payload = {allocate((size_t)header[3] + 1), header[3]};
  if (payload.at == NULL) return -ENOMEM;
  n = read_fully(fd, payload.at, payload.left);
  if (n <= 0) return n;
  n = parse_block(payload, block);
  return n < 0 ? n : 1;
}

#endif
