package io.zett.sandbox.cases.confinement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.SandboxUnavailableException;
import io.zett.sandbox.cases.outside.ChildJvm;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The kernel's own files: nothing of them can be changed, and what they tell of others is hidden.
 */
class KernelFilesTest {

  /** What is readable for root alone, or tells of other users and of the kernel's memory. */
  private static final List<String> SECRET =
      List.of(
          "/proc/kcore",
          "/proc/keys",
          "/proc/kpagecount",
          "/proc/kpageflags",
          "/proc/kpagecgroup",
          "/proc/slabinfo",
          "/proc/timer_list",
          "/proc/sched_debug",
          "/proc/vmallocinfo",
          "/proc/vmcore",
          "/proc/acpi",
          "/sys/firmware",
          "/sys/kernel/slab",
          "/sys/class/zram-control",
          "/sys/devices/virtual/powercap",
          "/sys/devices/virtual/dmi/id/product_uuid",
          "/sys/devices/virtual/dmi/id/product_serial");

  /** Opens for writing and writes nothing; the entries of processes are looked at elsewhere. */
  private static final String WRITABLE =
      """
      import os, stat
      for top in ('/proc', '/sys', '/proc/self', '/proc/1'):
        for d, dirs, files in os.walk(top):
          dirs[:] = [x for x in dirs if not (d == '/proc' and x.isdigit()) and x != 'fd'
                     and x != 'task' and not os.path.islink(os.path.join(d, x))]
          for f in files:
            p = os.path.join(d, f)
            try:
              if stat.S_ISREG(os.lstat(p).st_mode):
                os.close(os.open(p, os.O_WRONLY | os.O_NONBLOCK))
                print(p)
            except OSError: pass
      print('looked')
      """;

  @Test
  void noneOfThemCanBeOpenedForWriting() {
    try (SandboxSession session = SandboxSession.builder().open()) {
      SandboxResult result =
          session.run(
              SandboxCommand.of(Scene.PYTHON, "-c", WRITABLE).timeout(Duration.ofMinutes(2)));
      assertThat(result.stdout()).as(result.stderr()).isEqualTo("looked\n");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatTheyTellOfOthersIsHidden(boolean network) {
    List<String> there = new ArrayList<>(SECRET);
    if (network) {
      there.add("/proc/sys/net/ipv4/tcp_fastopen_key");
    }
    there.removeIf(file -> !Files.exists(Path.of(file), LinkOption.NOFOLLOW_LINKS));
    assertThat(there).isNotEmpty();
    if (!Scene.isRoot()) {
      // What is closed by permissions needs no mask; in a directory single files may be open.
      there.removeIf(file -> Files.isDirectory(Path.of(file)));
    }
    String look = "for f in \"$@\"; do test -d $f && ls $f; head -c 1 $f && echo read $f; done; :";
    List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", look + " 2>/dev/null", "sh"));
    words.addAll(there);
    try (SandboxSession session = SandboxSession.builder().network(network).open()) {
      assertThat(session.run(words).stdout()).isEmpty();
    }
  }

  /**
   * A container whose {@code /proc} is partly covered must not have another one mounted (the kernel
   * refuses), and the covered one shows the processes of others.
   */
  @Test
  void aContainerWithoutAProcOfItsOwnIsRefusedWithTheMend() {
    assumeTrue(Scene.isRoot(), "only root can cover a part of /proc");
    try (ChildJvm child =
        ChildJvm.of(Opening.class)
            .wrapper(
                "unshare",
                "-m",
                "sh",
                "-c",
                "mount --bind /dev/null /proc/version && mount --bind /proc/sys /proc/sys"
                    + " && mount -o remount,ro,bind /proc/sys && exec \"$@\"",
                "sh")
            .start()) {
      assertThat(child.line()).isEqualTo("SandboxUnavailableException");
      assertThat(child.line()).contains("hides parts of /proc");
      assertThat(child.line()).contains("systempaths=unconfined", "procMount: Unmasked");
      assertThat(child.line()).isEqualTo("false");
    }
  }

  /** Tries to open a sandbox. */
  static final class Opening {
    public static void main(String[] arguments) {
      try (SandboxSession session = SandboxSession.builder().open()) {
        System.out.println(session.run("ls /proc").stdout());
      } catch (SandboxUnavailableException e) {
        System.out.println(e.getClass().getSimpleName());
        System.out.println(e.problem());
        System.out.println(e.fix());
        System.out.println(SandboxSession.builder().build().capabilities().isolated());
      }
    }
  }
}
