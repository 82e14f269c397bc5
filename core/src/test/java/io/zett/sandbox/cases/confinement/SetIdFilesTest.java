package io.zett.sandbox.cases.confinement;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A set-id file that root's command left in a workspace could be run by any user of the host. */
class SetIdFilesTest {

  private static final int SET_ID = 06000;

  @TempDir Path temporary;
  private Scene scene;

  @BeforeEach
  void scene() throws Exception {
    scene = new Scene(temporary);
  }

  /** Every call that takes a mode, by its number where Python has no name for it. */
  private static final String EVERY_CALL =
      """
      import ctypes, os, platform
      c = ctypes.CDLL(None, use_errno=True)
      arm = platform.machine() == 'aarch64'
      O_TMPFILE = 0o20000000 | os.O_DIRECTORY
      def attempt(name, call):
        try:
          if call() != -1: return
        except OSError: pass
        print('refused', name)
      def made(name):
        open(name, 'w').close()
        return name
      def opened(name, mode, flags=os.O_CREAT | os.O_WRONLY):
        os.close(os.open(name, flags, mode))
      for bits in (0o4755, 0o2755, 0o6755):
        n = oct(bits)
        attempt('chmod ' + n, lambda: os.chmod(made('chmod' + n), bits))
        attempt('fchmod ' + n, lambda: os.fchmod(os.open(made('fchmod' + n), os.O_RDWR), bits))
        attempt('fchmodat ' + n, lambda: os.chmod(made('fchmodat' + n), bits, dir_fd=os.open('.', 0)))
        attempt('fchmodat2 ' + n,
                lambda: c.syscall(452, -100, made('fchmodat2' + n).encode(), bits, 0))
        attempt('open ' + n, lambda: opened('open' + n, bits))
        attempt('mknod ' + n, lambda: os.mknod('mknod' + n, 0o100000 | bits))
        attempt('unnamed ' + n, lambda: opened('.', bits, O_TMPFILE | os.O_RDWR))
        how = (ctypes.c_uint64 * 3)(os.O_CREAT | os.O_WRONLY, bits, 0)
        attempt('openat2 ' + n, lambda: c.syscall(437, -100, b'openat2' + n.encode(), how, 24))
        attempt('creat ' + n, lambda: -1 if arm else c.syscall(85, b'creat' + n.encode(), bits))
        attempt('set both ' + n, lambda: os.chmod(made('high' + n), bits | 0o1000))
      """;

  @Test
  void noSystemCallLeavesASetIdFile() throws Exception {
    SandboxResult result;
    try (SandboxSession session = scene.session().open()) {
      result = session.run(List.of(Scene.PYTHON, "-c", EVERY_CALL));
    }

    assertThat(result.stderr()).isEmpty();
    assertThat(result.stdout().lines()).hasSize(30).allMatch(line -> line.startsWith("refused"));
    assertThat(setIdFiles()).isEmpty();
  }

  @Test
  void onTheHostTheSameCallsWouldLeaveThem() throws Exception {
    assertThat(Unsandboxed.shell(scene.workspace, "touch x && chmod 4700 x && stat -c %a x").out())
        .isEqualTo("4700\n");
    Files.delete(scene.workspace.resolve("x"));
  }

  @Test
  void noToolLeavesASetIdFileOrOneWithCapabilities() throws Exception {
    Unsandboxed.shell(
        scene.workspace, "touch s && chmod 4755 s && tar -cpf s.tar s && rm s && mkdir out");
    try (SandboxSession session = scene.session().open()) {
      SandboxResult result =
          session.run(
              """
              cp /usr/bin/id x
              chmod 4755 x; chmod u+s x; chmod g+s x; chmod 2755 x
              install -m 4755 /usr/bin/id installed
              cp -p /usr/bin/passwd copied; cp -a /usr/bin/su copied2
              tar -xpf s.tar -C out
              mkdir -m 2755 d; mkdir -m 4755 d2
              /usr/sbin/setcap cap_net_raw+ep x && echo capable
              ./x -u
              """);
      String uid = Scene.isRoot() ? "12345" : Integer.toString(Scene.uid());
      assertThat(result.stdout()).isEqualTo(uid + "\n");
    }

    assertThat(setIdFiles()).isEmpty();
  }

  @Test
  void aWorkspaceThatHandsItsGroupDownKeepsDoingSo() throws Exception {
    Unsandboxed.shell(scene.base, "chmod g+s W");
    try (SandboxSession session = scene.session().open()) {
      SandboxResult result =
          session.run(
              "mkdir -p d/e && cp -a d copy && stat -c %A copy/e && touch f && chmod u+s f");

      assertThat(result.stdout()).contains("s");
      assertThat(result.succeeded()).isFalse();
    }
    assertThat(mode(scene.workspace.resolve("f")) & 04000).isZero();
    assertThat(setIdFiles()).allMatch(Files::isDirectory);
  }

  @Test
  void ordinaryModesAreKept() throws Exception {
    scene.work("script", "#!/bin/sh\necho ran\n");
    try (SandboxSession session = scene.session().open()) {
      SandboxResult result =
          session.run(
              """
              chmod 755 script && ./script
              cp -a script copy && ./copy
              mkdir -m 1777 sticky && tar -cf t script && tar -xf t -C sticky && stat -c %a sticky
              """);
      assertThat(result.stdout()).isEqualTo("ran\nran\n1777\n");
    }
  }

  private List<Path> setIdFiles() throws IOException {
    try (Stream<Path> files = Files.walk(scene.workspace)) {
      return files.filter(file -> (mode(file) & SET_ID) != 0).toList();
    }
  }

  private static int mode(Path file) {
    try {
      return (int) Files.getAttribute(file, "unix:mode");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
