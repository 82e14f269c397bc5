package io.zett.sandbox.cases.confinement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ways around a filter of system calls: other architectures' numbers, high bits, io_uring. */
class SystemCallsTest {

  /** Each attempt in a process of its own, since a refusal may be its death. */
  private static final String PROBE =
      """
      #define _GNU_SOURCE
      #include <errno.h>
      #include <stdio.h>
      #include <string.h>
      #include <sys/ioctl.h>
      #include <sys/syscall.h>
      #include <sys/wait.h>
      #include <unistd.h>

      #define ATTEMPT(name, call) do { \\
        fflush(stdout); \\
        pid_t child = fork(); \\
        if (!child) { errno = 0; long r = (call); if (r >= 0) _exit(200); _exit(errno); } \\
        int status = 0; waitpid(child, &status, 0); \\
        if (WIFSIGNALED(status)) printf("%s: signal %d\\n", name, WTERMSIG(status)); \\
        else if (WEXITSTATUS(status) == 200) printf("%s: SUCCEEDED\\n", name); \\
        else printf("%s: %s\\n", name, strerrorname_np(WEXITSTATUS(status))); \\
      } while (0)

      #ifdef __x86_64__
      static long i386(long number, long a, long b, long c) {
        long r;
        __asm__ volatile("int $0x80" : "=a"(r) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory",
                         "r8", "r9", "r10", "r11");
        if (r < 0 && r > -4096) { errno = -r; return -1; }
        return r;
      }
      #define X32 0x40000000
      #endif

      int main(void) {
        static char params[256];
        ATTEMPT("keyctl", syscall(SYS_keyctl, 0, -3, 1));
        ATTEMPT("add_key", syscall(SYS_add_key, "user", "z", "z", 1, -3));
        ATTEMPT("io_uring_setup", syscall(425, 1, params));
        ATTEMPT("io_uring_enter", syscall(426, -1, 0, 0, 0, 0, 0));
        ATTEMPT("tiocsti", ioctl(0, 0x5412, "x"));
        ATTEMPT("tiocsti with high bits", syscall(SYS_ioctl, 0, 0x5412UL | 1UL << 32, "x"));
        ATTEMPT("tioclinux with high bits", syscall(SYS_ioctl, 0, 0x541cUL | 1UL << 40, "x"));
        ATTEMPT("chmod with high bits", syscall(SYS_fchmodat, -100, ".", 04755UL | 1UL << 33));
        ATTEMPT("socket with high bits", syscall(SYS_socket, 40UL | 1UL << 32, 1, 0));
        ATTEMPT("unshare user", syscall(SYS_unshare, 0x10000000));
        ATTEMPT("unshare with high bits", syscall(SYS_unshare, 0x10000000UL | 1UL << 32));
        ATTEMPT("clone user", syscall(SYS_clone, 0x10000000 | 17, 0, 0, 0, 0));
        ATTEMPT("clone3", syscall(435, params, 64));
        ATTEMPT("bpf", syscall(SYS_bpf, 0, params, 64));
        ATTEMPT("perf_event_open", syscall(SYS_perf_event_open, params, 0, -1, -1, 0));
        ATTEMPT("userfaultfd", syscall(SYS_userfaultfd, 1));
        ATTEMPT("open_by_handle_at", syscall(SYS_open_by_handle_at, -100, params, 0));
        ATTEMPT("mount", syscall(SYS_mount, "none", "/mnt", "tmpfs", 0, 0));
        ATTEMPT("open_tree", syscall(428, -100, "/", 1));
        ATTEMPT("fsopen", syscall(430, "tmpfs", 0));
        ATTEMPT("init_module", syscall(SYS_init_module, params, 0, ""));
        ATTEMPT("syslog", syscall(SYS_syslog, 3, params, 16));
      #ifdef __x86_64__
        ATTEMPT("x32 keyctl", syscall(X32 | SYS_keyctl, 0, -3, 1));
        ATTEMPT("x32 socket", syscall(X32 | SYS_socket, 40, 1, 0));
        ATTEMPT("x32 ioctl", syscall(X32 | 514, 0, 0x5412, "x"));
        ATTEMPT("i386 getpid", i386(20, 0, 0, 0));
        ATTEMPT("i386 keyctl", i386(288, 0, -3, 1));
      #endif
        return 0;
      }
      """;

  @Test
  void noWayAroundTheFilterLeadsToARefusedCall(@TempDir Path temporary) throws Exception {
    Scene scene = new Scene(temporary);
    Path source = scene.work("probe.c", PROBE);
    Unsandboxed.End built =
        Unsandboxed.run(scene.workspace, List.of("cc", "-w", "-o", "probe", source.toString()));
    assumeTrue(built.status() == 0, "needs a C library that names errors: " + built.err());
    try (SandboxSession session = scene.session().open()) {
      SandboxResult result = session.run("./probe");

      assertThat(result.exitCode()).as(result.stderr()).isZero();
      assertThat(result.stdout().lines())
          .hasSizeGreaterThanOrEqualTo(22)
          .allMatch(line -> line.matches(".*: (EPERM|ENOSYS|EAFNOSUPPORT|signal 31)"));
      if (System.getProperty("os.arch").equals("amd64")) {
        assertThat(result.stdout()).contains("i386 getpid: signal 31", "x32 keyctl: ENOSYS");
      }
      assertThat(result.stdout())
          .contains("tiocsti with high bits: EPERM", "io_uring_setup: ENOSYS", "keyctl: EPERM");
    }
  }
}
