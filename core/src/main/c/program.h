/* Finding and executing the command's program, as execvp and shells do, and saying why it could not be. */
#ifndef ZETT_PROGRAM_H
#define ZETT_PROGRAM_H

#include "block.h"

enum { PATH_MAX = 4096, NOT_FOUND = 127, NOT_EXECUTABLE = 126 };

static const char *search_path(const char *const *envp) {
  for (; *envp != NULL; envp++) {
    const char *at = *envp;
    if (at[0] == 'P' && at[1] == 'A' && at[2] == 'T' && at[3] == 'H' && at[4] == '=') return at + 5;
  }
  return "/usr/local/bin:/usr/bin:/bin";
}

static int has_slash(const char *name) {
  for (; *name != 0; name++) {
    if (*name == '/') return 1;
  }
  return 0;
}

/*
 * A program of another architecture is no script: a shell would answer with nonsense about its syntax.
 * As in bash, a NUL in the first line tells the two apart.
 */
static int is_binary(const char *file) {
  char start[128];
  long fd = CALL4(SYS_openat, AT_FDCWD, ADDRESS(file), O_RDONLY | O_CLOEXEC, 0);
  if (fd < 0) return 0;
  long size = CALL3(SYS_read, fd, ADDRESS(start), sizeof start);
  close_fd((int)fd);
  for (long i = 0; i < size && start[i] != '\n'; i++) {
    if (start[i] == 0) return 1;
  }
  return 0;
}

/* False also below a directory that may not be searched. */
static int is_there(const char *file) {
  return CALL3(SYS_faccessat, AT_FDCWD, ADDRESS(file), 0) == 0;
}

/* Returns the errno of the failure. Sets *no_interpreter when FILE itself is there. */
static int execute(const char *file, const struct block *block, int *no_interpreter) {
  int error =
      (int)-CALL3(SYS_execve, ADDRESS(file), ADDRESS(block->argv), ADDRESS(block->envp));
  if (error == ENOENT && is_there(file)) *no_interpreter = 1;
  if (error != ENOEXEC || is_binary(file)) return error;
  /* A script without "#!": the spare slot makes room for `sh FILE ARGS`. */
  static const char shell[] = "/bin/sh";
  const char *name = block->argv[0];
  block->argv[-1] = shell;
  block->argv[0] = file;
  error = (int)-CALL3(SYS_execve, ADDRESS(shell), ADDRESS(block->argv - 1), ADDRESS(block->envp));
  block->argv[0] = name;
  return error;
}

static int search(const struct block *block, int *no_interpreter) {
  const char *name = block->argv[0];
  size_t name_size = length_of(name) + 1;
  int denied = 0;
  if (name_size == 1) return ENOENT;
  for (const char *from = search_path(block->envp);; from++) {
    char file[PATH_MAX];
    size_t length = 0;
    while (from[length] != 0 && from[length] != ':') length++;
    /* An empty component is the current directory. A path that is too long names no file. */
    size_t used = length == 0 ? 1 : length;
    if (used + 1 + name_size <= sizeof file) {
      memcpy(file, length == 0 ? "." : from, used);
      file[used] = '/';
      memcpy(file + used + 1, name, name_size);
      int error = execute(file, block, no_interpreter);
      switch (error) {
        case EACCES:
          /* As shells do: a program is denied when it was found, not when a directory is closed. */
          if (is_there(file)) denied = 1;
          break;
        case ENOENT:
        case ENOTDIR:
        case ENAMETOOLONG:
        case ENODEV:
        case ESTALE:
        case ETIMEDOUT:
          break;
        default:
          return error;
      }
    }
    from += length;
    if (*from == 0) return denied ? EACCES : ENOENT;
  }
}

static const char *reason(int error) {
  switch (error) {
    case EPERM: return "Operation not permitted";
    case ENOENT: return "No such file or directory";
    case E2BIG: return "Argument list too long";
    case ENOEXEC: return "Exec format error";
    case EAGAIN: return "Resource temporarily unavailable";
    case ENOMEM: return "Cannot allocate memory";
    case EACCES: return "Permission denied";
    case ENOTDIR: return "Not a directory";
    case EISDIR: return "Is a directory";
    case ETXTBSY: return "Text file busy";
    case ENAMETOOLONG: return "File name too long";
    case ELOOP: return "Too many levels of symbolic links";
    default: return "cannot be executed";
  }
}

/* Only returns when the program could not be executed: its errno, and what the exit status is. */
static int run_program(const struct block *block, const char **why, int *status) {
  const char *name = block->argv[0];
  int searched = !has_slash(name);
  int no_interpreter = 0;
  int error = searched ? search(block, &no_interpreter) : execute(name, block, &no_interpreter);
  if (error != ENOENT) {
    *why = reason(error);
    *status = NOT_EXECUTABLE;
  } else if (no_interpreter) {
    *why = "its interpreter was not found";
    *status = NOT_EXECUTABLE;
  } else {
    *why = searched ? "command not found" : reason(ENOENT);
    *status = NOT_FOUND;
  }
  return error;
}

#endif
