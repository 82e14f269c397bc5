package io.zett.sandbox.backend.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.zett.sandbox.posix.Posix;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attacks on the kernel, on sockets and on identity, in a real bubblewrap. */
class KernelAttackTest {

  @TempDir Path temp;
  private Path base;
  private Path workspace;

  @BeforeEach
  void directories() throws Exception {
    base = Trial.directories(temp.toRealPath());
    workspace = base.resolve("W");
  }

  @Test
  void refusedCallsFailWithTheErrorsThatProgramsHandle() throws Exception {
    compileAttack();
    Trial trial = new Trial(base, policy -> policy);

    Trial.Result result = trial.run("./attack");

    Map<String, String> answers = new HashMap<>();
    for (String line : result.out().lines().toList()) {
      int space = line.indexOf(' ');
      answers.put(line.substring(0, space), line.substring(space + 1));
    }
    for (String allowed :
        new String[] {
          "socket-unix",
          "socket-inet",
          "socket-inet6",
          "socket-route",
          "socketpair",
          "unshare-files",
          "chmod-plain",
          "mkdir-setgid"
        }) {
      assertThat(answers).as("%s", result).containsEntry(allowed, "0");
    }
    for (String refused :
        new String[] {
          "add_key",
          "request_key",
          "keyctl",
          "bpf",
          "perf_event_open",
          "userfaultfd",
          "open_by_handle_at",
          "unshare-user",
          "setns",
          "mount",
          "fsopen",
          "kexec_load",
          "init_module",
          "tiocsti",
          "tiocsti-high",
          "tioclinux-high",
          "chmod-setuid",
          "chmod-setgid",
          "fchmodat2-setuid",
          "open-setuid",
          "tmpfile-setuid",
          "mknod-setuid"
        }) {
      assertThat(answers).containsEntry(refused, "1");
    }
    for (String unknown : new String[] {"io_uring_setup", "clone3", "openat2"}) {
      assertThat(answers).containsEntry(unknown, "38");
    }
    for (String family : new String[] {"socket-vsock", "socket-packet", "socket-alg"}) {
      assertThat(answers).containsEntry(family, "97");
    }
    assertThat(answers).containsEntry("socket-audit", "93");
    if (System.getProperty("os.arch").equals("amd64")) {
      assertThat(answers)
          .containsEntry("creat-setuid", "1")
          .containsEntry("x32-keyctl", "38")
          .containsEntry("i386", "killed");
    }
  }

  @Test
  void noSetIdFileIsLeftOnTheHost() throws Exception {
    Trial trial = new Trial(base, policy -> policy);

    Trial.Result result =
        trial.run(
            "grep NoNewPrivs /proc/self/status; cp /usr/bin/id x; chmod 4755 x; chmod 2755 x;"
                + " chmod 755 x; cp -a x y; tar cf - x | tar xf - -O >/dev/null; ls -l x y | cut -c1-10");

    assertThat(result.out()).isEqualTo("NoNewPrivs:\t1\n-rwxr-xr-x\n-rwxr-xr-x\n");
  }

  @Test
  void commandsHaveNoCapabilitiesAndAnOrdinaryName() throws Exception {
    Trial trial = new Trial(base, policy -> policy);

    Trial.Result result =
        trial.run(
            "grep ^Cap /proc/self/status | tr -d '\\t'; mount -o remount,rw,bind / && echo mounted;"
                + " touch /zett-pwn; id -u; hostname; unshare -Ur true && echo nested");

    String none = ":0000000000000000\n";
    assertThat(result.out())
        .startsWith(
            "CapInh" + none + "CapPrm" + none + "CapEff" + none + "CapBnd" + none + "CapAmb" + none)
        .endsWith("\nsandbox\n")
        .doesNotContain("mounted");
    if (Posix.system().geteuid() == 0) {
      assertThat(result.out()).contains("\n12345\n");
      assertThat(trial.run("whoami; git init -q r && git -C r status --short && echo git").out())
          .isEqualTo("sandbox\ngit\n");
    }
    assertThat(Path.of("/zett-pwn")).doesNotExist();
  }

  @Test
  void theKernelsSwitchesAreReadOnlyAndItsSecretsHidden() throws Exception {
    Trial trial = new Trial(base, policy -> policy);

    Trial.Result result =
        trial.run(
            "find /proc /sys -maxdepth 5 -type f -writable ! -path '/proc/[0-9]*' 2>/dev/null;"
                + " for f in keys kcore slabinfo timer_list vmallocinfo pagetypeinfo; do"
                + " head -c 1 /proc/$f >/dev/null 2>&1 && echo R $f; done;"
                + " ( : > /proc/sys/kernel/core_pattern ) 2>/dev/null && echo W;"
                + " ls /proc | grep -c '^[0-9]'");

    assertThat(result.out()).as("writable or readable").matches("[1-9]\\n");
  }

  @Test
  void socketsOfTheHostCannotBeReached() throws Exception {
    Path outside = base.resolve("H/s.sock");
    Path hiddenByTmp = base.resolve("s.sock");
    Path own = workspace.resolve("s.sock");
    try (ServerSocketChannel one = listen(outside);
        ServerSocketChannel two = listen(hiddenByTmp);
        ServerSocketChannel three = listen(own)) {
      assertThat(one.isOpen() && two.isOpen() && three.isOpen()).isTrue();
      Trial trial = new Trial(base, policy -> policy);

      Trial.Result result =
          trial.run(connect(outside) + connect(hiddenByTmp) + connect(own) + connectsToItsOwn());

      assertThat(result.out()).isEqualTo("refused\nrefused\nconnected\nconnected\n");

      Trial given = new Trial(base, policy -> policy.allowRead(outside));
      assertThat(given.run(connect(outside)).out()).isEqualTo("connected\n");
    }
  }

  @Test
  void nothingOfTheCallersEnvironmentIsSeen() throws Exception {
    Trial trial = new Trial(base, policy -> policy);

    Trial.Result result = trial.run("cat /proc/*/environ | tr '\\0' '\\n' | cut -d= -f1 | sort -u");

    assertThat(result.out().lines()).isSubsetOf("PATH", "PWD", "HOME", "OLDPWD", "SHLVL", "_");
  }

  @Test
  void scratchSpaceIsPrivateAndBounded() throws Exception {
    Trial trial = new Trial(base, policy -> policy.scratchSize(4 << 20));

    Trial.Result result =
        trial.run(
            "for d in /tmp /var/tmp /dev/shm; do stat -c %a $d; echo leak > $d/zett-leak;"
                + " head -c 8000000 /dev/zero > $d/big || echo full; rm $d/big; done;"
                + " touch /dev/new /run/new || echo closed; mktemp >/dev/null && echo mktemp");

    assertThat(result.out()).isEqualTo("1777\nfull\n1777\nfull\n1777\nfull\nclosed\nmktemp\n");
    assertThat(Path.of("/tmp/zett-leak")).doesNotExist();
    assertThat(trial.run("cat /tmp/zett-leak || echo none").out()).isEqualTo("none\n");
  }

  @Test
  void theNetworkIsOnlyALoopbackOfItsOwn() throws Exception {
    Trial trial = new Trial(base, policy -> policy);

    assertThat(trial.run("tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '").out())
        .isEqualTo("lo\n");
    Trial open = new Trial(base, policy -> policy.network(true));
    assertThat(open.describe()).contains("--share-net");
    assertThat(open.run("cat /etc/resolv.conf > /dev/null && echo readable").out())
        .isEqualTo("readable\n");
  }

  private static ServerSocketChannel listen(Path path) throws Exception {
    return ServerSocketChannel.open(StandardProtocolFamily.UNIX)
        .bind(UnixDomainSocketAddress.of(path));
  }

  private static String connect(Path path) {
    return "/usr/bin/perl -MSocket -e 'socket(S,AF_UNIX,SOCK_STREAM,0)||die;"
        + " print connect(S,sockaddr_un($ARGV[0]))?\"connected\\n\":\"refused\\n\"' "
        + path
        + "; ";
  }

  private static String connectsToItsOwn() {
    return "/usr/bin/perl -MSocket -e 'my $p=sockaddr_un(\"/tmp/own\");"
        + " socket(L,AF_UNIX,SOCK_STREAM,0); bind(L,$p); listen(L,1);"
        + " socket(S,AF_UNIX,SOCK_STREAM,0); print connect(S,$p)?\"connected\\n\":\"refused\\n\"'";
  }

  private void compileAttack() throws Exception {
    Path source = base.resolve("run/attack.c");
    try (InputStream in = KernelAttackTest.class.getResourceAsStream("attack.c")) {
      assumeThat(in).isNotNull();
      Files.copy(in, source, StandardCopyOption.REPLACE_EXISTING);
    }
    Process compiler =
        new ProcessBuilder(
                "cc", "-O1", "-o", workspace.resolve("attack").toString(), source.toString())
            .inheritIO()
            .start();
    assertThat(compiler.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(compiler.exitValue()).isZero();
  }
}
