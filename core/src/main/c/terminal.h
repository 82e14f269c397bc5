/*
 * A terminal of the command's own (pty(7)), of the devpts that the sandbox has: no program in it can type
 * into the caller's. The caller gets the other end over the control socket.
 */
#ifndef ZETT_TERMINAL_H
#define ZETT_TERMINAL_H

#include "block.h"

/* asm-generic/ioctls.h; TIOCGPTPEER since Linux 4.13 */
enum { TIOCSCTTY = 0x540E, TIOCSWINSZ = 0x5414, TIOCGPTPEER = 0x5441, TIOCSPTLCK = 0x40045431 };
enum { SOL_SOCKET = 1, SCM_RIGHTS = 1 };

struct window {
  u16 rows, columns, unused[2];
};

/* Opens both ends. Returns 0 or a negated errno, and then none is open. */
static long open_terminal(u32 size, int *caller_end, int *command_end) {
  long n = CALL4(SYS_openat, AT_FDCWD, ADDRESS("/dev/ptmx"), O_RDWR | O_NOCTTY | O_CLOEXEC, 0);
  if (n < 0) return n;
  *caller_end = (int)n;
  int locked = 0;
  struct window window = {(u16)(size >> 16), (u16)size, {0, 0}};
  n = CALL3(SYS_ioctl, *caller_end, TIOCSPTLCK, ADDRESS(&locked));
  if (n >= 0) n = CALL3(SYS_ioctl, *caller_end, TIOCSWINSZ, ADDRESS(&window));
  if (n >= 0) n = CALL3(SYS_ioctl, *caller_end, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
  *command_end = (int)n;
  if (n < 0) close_fd(*caller_end);
  return n < 0 ? n : 0;
}

/* Sends a record with a descriptor. Returns a negated errno if that failed. */
static long send_descriptor(int socket, u64 *record, size_t size, int fd) {
  struct {
    u64 length;
    s32 level, type;
    s32 fd, unused;
  } rights = {20, SOL_SOCKET, SCM_RIGHTS, fd, 0};
  struct {
    u64 at, size;
  } part = {(u64)ADDRESS(record), size};
  struct {
    u64 name, name_length, parts, part_count, control, control_length, flags;
  } message = {0, 0, (u64)ADDRESS(&part), 1, (u64)ADDRESS(&rights), sizeof rights, 0};
  long n;
  do {
    n = CALL3(SYS_sendmsg, socket, ADDRESS(&message), MSG_NOSIGNAL);
  } while (n == -EINTR);
  return n;
}

/* For the command, in a session of its own: signals of the keyboard go to it. */
static long take_terminal(int command_end) {
  return CALL3(SYS_ioctl, command_end, TIOCSCTTY, 0);
}

#endif
