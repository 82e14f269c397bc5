package io.zett.sandbox.cases.confinement;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.HomeMode;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.cases.outside.ChildJvm;
import io.zett.sandbox.engine.Doctor;
import io.zett.sandbox.posix.Posix;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Landlock behind the mounts, where the kernel has it: it takes nothing away that a command may do,
 * and without it all else holds.
 */
class SecondWallTest {
  private static final int WITH_SCOPES = 6;
  private static final String OFF = "-Dio.zett.sandbox.landlock=off";

  @TempDir Path temporary;
  private Scene scene;

  @BeforeEach
  void scene() throws Exception {
    scene = new Scene(temporary);
  }

  private static int version() {
    return Posix.system().landlockVersion();
  }

  private static Doctor.Check check() {
    return Doctor.diagnose(SandboxPolicy.builder().build()).checks().stream()
        .filter(check -> check.name().equals("landlock"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void doctorTellsWhetherThereIsOne() {
    Doctor.Check check = check();
    assertThat(check.ok()).isEqualTo(version() >= 2);
    assertThat(check.detail()).contains(check.ok() ? "version " + version() : "does not rely");
  }

  /** Renames between directories, links, FIFOs, sockets, devices, terminals, locks, truncation. */
  @Test
  void whatMayBeWrittenCanBeWrittenInEveryWay() throws Exception {
    Path further = Files.createDirectories(scene.base.resolve("further"));
    try (SandboxSession session = scene.session().writable(further).home(HomeMode.PRIVATE).open()) {
      SandboxResult result =
          session.run(
              """
              set -e
              for d in . %s /tmp /var/tmp /dev/shm "$HOME"; do
                mkdir -p $d/a/b $d/c; echo 1 > $d/a/b/f; mv $d/a/b/f $d/c/g; mv $d/a $d/c/a
                ln $d/c/g $d/c/h; ln -s g $d/c/l; mkfifo $d/c/p; echo 22 >> $d/c/l
                : > $d/c/h; truncate -s 5 $d/c/g; chmod 600 $d/c/g; touch -d @0 $d/c/g
                cp -a $d/c $d/d; rm -r $d/c $d/d
              done
              mv /tmp/x ./x 2>/dev/null || true
              echo x > /dev/null; echo x 1<>/dev/null; echo x > /dev/stderr 2>/dev/null
              echo x > /proc/self/fd/1; exec 5>/tmp/y; echo y > /dev/fd/5; flock 5; cat /tmp/y
              """
                  .formatted(further));

      assertThat(result.succeeded()).as(result.stderr()).isTrue();
      assertThat(result.stdout()).isEqualTo("x\ny\n");
    }
  }

  @Test
  void terminalsSignalsAndThreadsWork() {
    try (SandboxSession session = scene.session().open()) {
      SandboxResult result =
          session.run(
              List.of(
                  Scene.PYTHON,
                  "-c",
                  """
                  import os, pty, signal, socket, subprocess, multiprocessing
                  m, s = pty.openpty(); os.write(s, b'tty'); print(os.read(m, 3).decode())
                  child = subprocess.Popen(['sleep', '60']); child.terminate(); print(child.wait())
                  signal.signal(signal.SIGUSR1, lambda *_: print('signal'))
                  os.kill(os.getpid(), signal.SIGUSR1)
                  a = socket.socket(socket.AF_UNIX); a.bind(chr(0) + 'own'); a.listen()
                  b = socket.socket(socket.AF_UNIX); b.connect(chr(0) + 'own'); print('abstract')
                  with multiprocessing.Pool(2) as p: print(p.map(abs, [-1]))
                  """));

      assertThat(result.stdout())
          .as(result.stderr())
          .isEqualTo("tty\n-15\nsignal\nabstract\n[1]\n");
    }
  }

  @Test
  void whatCannotBeWrittenIsTheMountsAnswer() {
    try (SandboxSession session = scene.session().open()) {
      SandboxResult result =
          session.run("touch " + scene.outside + "/x; : > /etc/hostname; mkdir /usr/zett");
      assertThat(result.stderr()).containsPattern("(?i)read-only file system");
      assertThat(scene.outside).isEmptyDirectory();
    }
  }

  /** Only the kernel can tell: with the mounts alone the first line would be {@code 0}. */
  @Test
  void theCommandIsUnderIt() {
    assumeTrue(version() >= 2, "this kernel has no Landlock");
    try (SandboxSession session = scene.session().open()) {
      // No process outside of the wall can be looked into, whoever owns it.
      SandboxResult result =
          session.run("kill -0 1; echo $?; cat /proc/1/environ >/dev/null; echo $?");
      assertThat(result.stdout()).isEqualTo((version() >= WITH_SCOPES ? "1" : "0") + "\n1\n");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void abstractSocketsOfTheHostAreClosedByItAlone(boolean hidden) throws Exception {
    assumeTrue(version() >= WITH_SCOPES, "Landlock version " + version() + " has no scopes");
    String name = "zett-wall-" + System.nanoTime();
    String server =
        "import socket; s = socket.socket(socket.AF_UNIX); s.bind(chr(0) + '"
            + name
            + "'); s.listen(); print('bound', flush=True); input()";
    Process daemon = new ProcessBuilder(Scene.PYTHON, "-c", server).start();
    try (BufferedReader out = daemon.inputReader(UTF_8)) {
      assertThat(out.readLine()).isEqualTo("bound");
      ChildJvm.Builder jvm = ChildJvm.of(Connecting.class);
      try (ChildJvm child = (hidden ? jvm.options(OFF) : jvm).start(name)) {
        assertThat(child.line()).isEqualTo(hidden ? "false" : "true");
        assertThat(child.line()).isEqualTo(hidden ? "reached" : "refused");
      }
    } finally {
      daemon.destroyForcibly().waitFor();
    }
  }

  /** Connects, with the network on, to an abstract socket of the host. */
  static final class Connecting {
    public static void main(String[] arguments) {
      System.out.println(check().ok());
      String text =
          "import socket, sys\n"
              + "try: socket.socket(socket.AF_UNIX).connect(chr(0) + sys.argv[1]);"
              + " print('reached')\n"
              + "except PermissionError: print('refused')";
      try (SandboxSession session = SandboxSession.builder().network(true).open()) {
        System.out.print(session.run(List.of(Scene.PYTHON, "-c", text, arguments[0])).stdout());
      }
    }
  }

  @Test
  void withoutItTheMountsHold() {
    try (ChildJvm child = ChildJvm.of(Writing.class).options(OFF).start(scene.outside.toString())) {
      assertThat(child.lines()).containsExactly("false", "1 0");
    }
    assertThat(scene.outside).isEmptyDirectory();
  }

  /** Writes outside and inside. */
  static final class Writing {
    public static void main(String[] arguments) {
      System.out.println(check().ok());
      Path outside = Path.of(arguments[0]);
      try (SandboxSession session = SandboxSession.builder().allowRead(outside).open()) {
        System.out.print(
            session
                .run(
                    "(echo x > "
                        + outside
                        + "/x) 2>/dev/null; a=$?; (echo x > /etc/zett) 2>/dev/null && a=0;"
                        + " echo x > x; echo $a $?")
                .stdout()
                .replace("2 0", "1 0"));
      }
    }
  }
}
