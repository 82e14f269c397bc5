package io.zett.sandbox.cases.confinement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A command has the devices that any program needs and no other. */
class DevicesTest {

  @TempDir Path temporary;
  private Scene scene;

  @BeforeEach
  void scene() throws Exception {
    scene = new Scene(temporary);
  }

  @Test
  void onlyTheUsualDevicesAreThere() {
    try (SandboxSession session = scene.session().open()) {
      assertThat(session.run("ls -A /dev").stdout().lines())
          .isSubsetOf(
              "core", "fd", "full", "null", "ptmx", "pts", "random", "shm", "stderr", "stdin",
              "stdout", "tty", "urandom", "zero");
      assertThat(session.run("find /dev -type b").stdout()).isEmpty();
      SandboxResult result =
          session.run(
              """
              echo lost > /dev/null && head -c 3 /dev/zero | od -An -c && head -c 1 /dev/urandom | wc -c
              echo x > /dev/full || echo full
              echo out > /dev/stdout; echo err > /dev/stderr; echo in | cat /dev/stdin
              """);
      assertThat(result.stdout().replace(" ", "")).isEqualTo("\\0\\0\\0\n1\nfull\nout\nin\n");
      assertThat(result.stderr()).endsWith("err\n");
    }
  }

  @Test
  void noDeviceCanBeMadeOrOpened() throws Exception {
    try (SandboxSession session = scene.session().open()) {
      SandboxResult result =
          session.run(
              """
              mknod block b 8 0 && cat block; mknod memory c 1 1 && head -c 1 memory
              mknod zero c 1 5 && head -c 1 zero && echo opened
              mknod /tmp/zero c 1 5 && head -c 1 /tmp/zero && echo opened
              mknod /dev/zero2 c 1 5 && echo made
              true
              """);

      assertThat(result.stdout()).isEmpty();
    }
  }

  /** Of what is seen at each place: mounts that others cover are in the table, too. */
  private static final String MOUNTS_WITHOUT_FLAGS =
      """
      import os
      for line in open('/proc/self/mountinfo'):
        at = line.split()[4].encode().decode('unicode_escape')
        try: flags = os.statvfs(at).f_flag
        except OSError: continue
        if not flags & os.ST_NOSUID: print('suid', at)
        if not flags & os.ST_NODEV and not at.startswith('/dev/'): print('dev', at)
      """;

  @Test
  void devicesAndSetIdBitsOnTheDiskMeanNothing() {
    try (SandboxSession session = scene.session().open()) {
      SandboxResult result = session.run(List.of(Scene.PYTHON, "-c", MOUNTS_WITHOUT_FLAGS));

      assertThat(result.stdout()).isEmpty();
    }
  }

  @Test
  void pseudoTerminalsAreTheCommandsOwn() {
    try (SandboxSession session = scene.session().open()) {
      SandboxResult result = session.run("ls /dev/pts; script -qec 'tty; test -t 0' /dev/null");

      assertThat(result.stdout().replace("\r", "")).isEqualTo("ptmx\n/dev/pts/0\n");
    }
  }

  @Test
  void theCallersTerminalCannotBeReachedOrTypedInto() throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/script")), "script(1) gives the caller a terminal");
    Path line = scene.base.resolve("caller.sh");
    String attack =
        """
        (: < /dev/tty) 2>/dev/null && echo opened tty
        (: < /dev/console) 2>/dev/null && echo opened console
        test -t 0 && echo in; test -t 1 && echo out; test -t 2 && echo err
        ls /proc/self/fd/ -l | grep -E 'pts|tty'
        /usr/bin/python3 - <<'E'
        import fcntl, os
        for fd in (0, 1, 2):
          for request in (0x5412, 0x541c):
            try:
              fcntl.ioctl(fd, request, b'x')
              print('typed')
            except OSError: pass
        for n in range(64):
          for path in ('/dev/pts/%d' % n, '/dev/tty%d' % n):
            try: print('opened', path, os.open(path, os.O_RDWR | os.O_NOCTTY))
            except OSError: pass
        E
        echo done
        """;
    StringBuilder script = new StringBuilder("exec");
    for (String word : Caller.words(scene, "run=" + attack)) {
      script.append(" '").append(word.replace("'", "'\\''")).append('\'');
    }
    Files.writeString(line, script + "\n");
    // On a terminal of its own, so that the caller has one.
    Process process =
        Caller.start(scene, Map.of(), List.of("script", "-qec", "/bin/sh " + line, "/dev/null"));
    Unsandboxed.End end = Unsandboxed.end(process);

    assertThat(end.out().replace("\r", "")).isEqualTo("done\n");
  }
}
