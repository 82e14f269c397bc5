/* Makes calls that a sandbox must refuse, harmless ones at that; prints "NAME ERRNO", 0 for success. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void say(const char *name, long result) {
  printf("%s %d\n", name, result < 0 ? errno : 0);
  fflush(stdout);
}

static void in_child(const char *name, void (*call)(void)) {
  int status = 0;
  pid_t pid = fork();
  if (pid == 0) {
    call();
    _exit(0);
  }
  waitpid(pid, &status, 0);
  printf("%s %s\n", name, WIFSIGNALED(status) ? "killed" : "ran");
  fflush(stdout);
}

#ifdef __x86_64__
static void i386_getpid(void) {
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory", "r8", "r9", "r10", "r11");
}
#endif

int main(void) {
  char buffer[64];
  say("socket-unix", socket(AF_UNIX, SOCK_STREAM, 0));
  say("socket-inet", socket(AF_INET, SOCK_STREAM, 0));
  say("socket-inet6", socket(AF_INET6, SOCK_DGRAM, 0));
  say("socket-route", socket(AF_NETLINK, SOCK_RAW, 0));
  say("socket-audit", socket(AF_NETLINK, SOCK_RAW, 9));
  say("socket-vsock", socket(40, SOCK_STREAM, 0));
  say("socket-packet", socket(AF_PACKET, SOCK_RAW, 0));
  say("socket-alg", socket(38, SOCK_SEQPACKET, 0));
  say("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0, 0}));
  say("add_key", syscall(SYS_add_key, "user", "zett", "x", 1, -3));
  say("request_key", syscall(SYS_request_key, "user", "zett", 0, 0));
  say("keyctl", syscall(SYS_keyctl, 0, -3, 0));
  say("bpf", syscall(SYS_bpf, 0, buffer, 0));
  say("perf_event_open", syscall(SYS_perf_event_open, buffer, 0, -1, -1, 0));
  say("userfaultfd", syscall(SYS_userfaultfd, 0));
  say("io_uring_setup", syscall(SYS_io_uring_setup, 1, buffer));
  say("clone3", syscall(SYS_clone3, buffer, 0));
  say("openat2", syscall(437, AT_FDCWD, ".", buffer, 24));
  say("open_by_handle_at", syscall(SYS_open_by_handle_at, AT_FDCWD, buffer, 0));
  say("unshare-user", unshare(CLONE_NEWUSER));
  say("unshare-files", unshare(CLONE_FILES));
  say("setns", syscall(SYS_setns, 0, 0));
  say("mount", syscall(SYS_mount, "none", ".", "tmpfs", 0, 0));
  say("fsopen", syscall(430, "tmpfs", 0));
  say("kexec_load", syscall(SYS_kexec_load, 0, 0, 0, 0));
  say("init_module", syscall(SYS_init_module, buffer, 0, ""));
  say("tiocsti", syscall(SYS_ioctl, 0, 0x5412UL, "x"));
  say("tiocsti-high", syscall(SYS_ioctl, 0, 0x100005412UL, "x"));
  say("tioclinux-high", syscall(SYS_ioctl, 0, 0xffffffff0000541cUL, "x"));
  close(open("made", O_CREAT | O_WRONLY, 0644));
  say("chmod-plain", chmod("made", 0755));
  say("chmod-setuid", chmod("made", 04755));
  say("chmod-setgid", chmod("made", 02755));
  say("fchmodat2-setuid", syscall(452, AT_FDCWD, "made", 04755, 0));
  say("open-setuid", open("made2", O_CREAT | O_WRONLY, 04755));
  say("tmpfile-setuid", open(".", O_TMPFILE | O_WRONLY, 04755));
  say("mknod-setuid", mknod("made3", S_IFREG | 04755, 0));
  say("mkdir-setgid", mkdir("made4", 02755));
#ifdef __x86_64__
  say("creat-setuid", syscall(SYS_creat, "made5", 04755));
  say("x32-keyctl", syscall(0x40000000 | SYS_keyctl, 0, -3, 0));
  in_child("i386", i386_getpid);
#endif
  return 0;
}
