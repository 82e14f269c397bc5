/* Preloaded into linux.uml. The kernel in it (6.1) keeps the extended registers of its processes in a buffer of a
   fixed size, and hands that size to PTRACE_SETREGSET. A host whose processors have more of them (AVX-512, AMX)
   refuses what is too short (EFAULT). So the host's own full state is fetched, the part that is known is laid over
   it, and that is handed on. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PEEKTEXT = 1, PEEKUSER = 3, GETREGSET = 0x4204, SETREGSET = 0x4205, X86_XSTATE = 0x202 };

static char state[1 << 16] __attribute__((aligned(64)));

long ptrace(int request, ...) {
  va_list rest;
  va_start(rest, request);
  int pid = va_arg(rest, int);
  void *address = va_arg(rest, void *);
  void *data = va_arg(rest, void *);
  va_end(rest);
  /* The C library's ptrace returns what these read; the system call stores it. */
  if (request >= PEEKTEXT && request <= PEEKUSER) {
    long word;
    long result = syscall(SYS_ptrace, request, pid, address, &word);
    if (result < 0) return result;
    errno = 0;
    return word;
  }
  if (request == SETREGSET && (unsigned long) address == X86_XSTATE) {
    const struct iovec *known = data;
    struct iovec full = {state, sizeof state};
    if (syscall(SYS_ptrace, GETREGSET, pid, address, &full) < 0) return -1;
    memcpy(state, known->iov_base, known->iov_len < full.iov_len ? known->iov_len : full.iov_len);
    return syscall(SYS_ptrace, SETREGSET, pid, address, &full);
  }
  return syscall(SYS_ptrace, request, pid, address, data);
}
