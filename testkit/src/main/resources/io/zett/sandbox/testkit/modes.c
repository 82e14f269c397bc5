/* Ways to leave a set-id file: each is given a bit and a name that does not exist. */
#include "probe.h"

#define MODE(w) ((mode_t)strtol(w[0], NULL, 8))

static int has(const char *path, mode_t bits) {
  struct stat status;
  return stat(path, &status) == 0 && (status.st_mode & bits & 06000) != 0 ? 0 : 1;
}

static void plain(const char *path) {
  close(open(path, O_CREAT | O_WRONLY, 0755));
}

static int by_chmod(char **w) {
  plain(w[1]);
  worked(syscall(SYS_fchmodat, AT_FDCWD, w[1], MODE(w)));
#ifdef SYS_chmod
  worked(syscall(SYS_chmod, w[1], MODE(w)));
#endif
  return has(w[1], MODE(w));
}

static int by_fchmod(char **w) {
  plain(w[1]);
  worked(syscall(SYS_fchmod, open(w[1], O_WRONLY), MODE(w)));
  return has(w[1], MODE(w));
}

static int by_fchmodat(char **w) {
  plain(w[1]);
  worked(syscall(SYS_fchmodat, open(".", O_RDONLY), w[1], MODE(w)));
  return has(w[1], MODE(w));
}

static int by_fchmodat2(char **w) {
  plain(w[1]);
  worked(syscall(452, AT_FDCWD, w[1], MODE(w), 0));
  return has(w[1], MODE(w));
}

static int by_high_bits(char **w) {
  plain(w[1]);
  worked(syscall(SYS_fchmodat, AT_FDCWD, w[1], 0xffffffff00000000ul | MODE(w)));
  return has(w[1], MODE(w));
}

static int by_open(char **w) {
  worked(open(w[1], O_CREAT | O_WRONLY, MODE(w)));
  return has(w[1], MODE(w));
}

static int by_openat(char **w) {
  worked(syscall(SYS_openat, open(".", O_RDONLY), w[1], O_CREAT | O_EXCL | O_RDWR, MODE(w)));
  return has(w[1], MODE(w));
}

static int by_openat2(char **w) {
  uint64_t how[3] = {O_CREAT | O_WRONLY, MODE(w), 0};
  worked(syscall(437, AT_FDCWD, w[1], how, sizeof how));
  return has(w[1], MODE(w));
}

static int by_creat(char **w) {
#ifdef SYS_creat
  worked(syscall(SYS_creat, w[1], MODE(w)));
#endif
  return has(w[1], MODE(w));
}

static int by_mknod(char **w) {
#ifdef SYS_mknod
  worked(syscall(SYS_mknod, w[1], S_IFREG | MODE(w), 0));
#endif
  return has(w[1], MODE(w));
}

static int by_mknodat(char **w) {
  worked(syscall(SYS_mknodat, AT_FDCWD, w[1], S_IFREG | MODE(w), 0));
  return has(w[1], MODE(w));
}

static int by_unnamed(char **w) {
  char path[64];
  int fd = open(".", O_TMPFILE | O_RDWR, MODE(w));
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  worked(linkat(AT_FDCWD, path, AT_FDCWD, w[1], AT_SYMLINK_FOLLOW));
  return has(w[1], MODE(w));
}

/* cap_net_raw, as setcap would give it */
static int by_capability(char **w) {
  uint32_t capability[5] = {0x02000001, 1u << 13, 0, 0, 0};
  plain(w[1]);
  return worked(syscall(SYS_setxattr, w[1], "security.capability", capability, sizeof capability, 0));
}

const struct attack mode_attacks[] = {{"mode-chmod", by_chmod},
                                      {"mode-fchmod", by_fchmod},
                                      {"mode-fchmodat", by_fchmodat},
                                      {"mode-fchmodat2", by_fchmodat2},
                                      {"mode-high-bits", by_high_bits},
                                      {"mode-open", by_open},
                                      {"mode-openat", by_openat},
                                      {"mode-openat2", by_openat2},
                                      {"mode-creat", by_creat},
                                      {"mode-mknod", by_mknod},
                                      {"mode-mknodat", by_mknodat},
                                      {"mode-unnamed", by_unnamed},
                                      {"mode-capability", by_capability},
                                      {NULL, NULL}};
