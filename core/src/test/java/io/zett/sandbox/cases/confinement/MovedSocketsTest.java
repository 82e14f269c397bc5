package io.zett.sandbox.cases.confinement;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.SandboxSession;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sockets of the host whose file is not where the kernel's table says that they were bound. */
class MovedSocketsTest {

  private static final List<String> TYPES = List.of("STREAM", "SEQPACKET", "DGRAM");

  private static final String SERVER =
      """
      import ctypes, os, socket, sys
      s = socket.socket(socket.AF_UNIX, getattr(socket, 'SOCK_' + sys.argv[1]))
      exec(sys.argv[2])
      if sys.argv[1] != 'DGRAM': s.listen()
      for line in sys.stdin:
        exec(line)
        print('done', flush=True)
      """;

  private static final String CONNECT =
      """
      import socket, sys
      for path in sys.argv[2:]:
        s = socket.socket(socket.AF_UNIX, getattr(socket, 'SOCK_' + sys.argv[1]))
        try:
          s.connect(path)
          print('REACHED')
        except OSError as e: print('refused')
      """;

  @TempDir Path temporary;
  private Scene scene;
  private final List<Process> processes = new ArrayList<>();

  @BeforeEach
  void scene() throws Exception {
    scene = new Scene(temporary);
    Files.createDirectories(scene.outside.resolve("made/in"));
    Files.createDirectories(scene.outside.resolve("pub/deep"));
  }

  @AfterEach
  void end() throws Exception {
    for (Process process : processes) {
      process.destroyForcibly().waitFor();
    }
  }

  /** A daemon in the directory outside that does what it is told, line by line. */
  private final class Daemon {
    private final Process process;
    private final BufferedReader out;

    Daemon(String type, String begin, String... launcher) throws IOException {
      List<String> words = new ArrayList<>(List.of(launcher));
      words.addAll(List.of(Scene.PYTHON, "-c", SERVER, type, begin));
      process =
          new ProcessBuilder(words)
              .directory(scene.outside.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      processes.add(process);
      out = process.inputReader(UTF_8);
      tell("pass");
    }

    void tell(String line) throws IOException {
      process.getOutputStream().write((line + "\n").getBytes(UTF_8));
      process.getOutputStream().flush();
      assertThat(out.readLine()).as(line).isEqualTo("done");
    }
  }

  private static List<String> connect(String type, Path... paths) {
    List<String> words = new ArrayList<>(List.of(Scene.PYTHON, "-c", CONNECT, type));
    for (Path path : paths) {
      words.add(path.toString());
    }
    return words;
  }

  private void assertReachedOutsideOnly(String type, Path socket, SandboxSession session)
      throws Exception {
    assertThat(Unsandboxed.run(scene.base, connect(type, socket)).out()).isEqualTo("REACHED\n");
    assertThat(session.run(connect(type, socket)).stdout()).isEqualTo("refused\n");
    // Once more with what the first look has left: a remembered place, a warm sandbox.
    assertThat(session.run(connect(type, socket)).stdout()).isEqualTo("refused\n");
  }

  private static Stream<Arguments> waysOfBinding() {
    return TYPES.stream()
        .flatMap(
            type ->
                Stream.of(
                    Arguments.of(type, "s.bind(os.getcwd() + '/s0'); os.rename('s0', 'pub/s1')"),
                    Arguments.of(
                        type,
                        "s.bind(os.getcwd() + '/made/in/s0');"
                            + " os.rename('made/in/s0', 'pub/deep/s1')"),
                    Arguments.of(
                        type, "s.bind(os.getcwd() + '/made/in/s1'); os.rename('made', 'moved')"),
                    Arguments.of(
                        type,
                        "s.bind(os.getcwd() + '/made/in/s1'); os.rename('made', 'pub/deep/moved')"),
                    Arguments.of(
                        type, "s.bind(os.getcwd() + '/made/s0'); os.link('made/s0', 'pub/s1')"),
                    Arguments.of(
                        type,
                        "s.bind(os.getcwd() + '/s0'); os.link('s0', 'pub/s1'); os.unlink('s0');"
                            + " socket.socket(socket.AF_UNIX).bind('s0')"),
                    Arguments.of(type, "s.bind('s1'); os.chdir('/')"),
                    Arguments.of(type, "os.chdir('pub'); s.bind('../s1'); os.chdir('/proc')"),
                    Arguments.of(
                        type,
                        // Not dumpable, as another user's process is: nobody may look into it.
                        "s.bind('s1'); os.chdir('/');" + " ctypes.CDLL(None).prctl(4, 0)")));
  }

  @ParameterizedTest
  @MethodSource("waysOfBinding")
  void aSocketCannotBeReachedWhereverItsFileHasGone(String type, String begin) throws Exception {
    Daemon daemon = new Daemon(type, begin);
    assertThat(daemon.process.isAlive()).isTrue();
    Path socket;
    try (Stream<Path> files = Files.walk(scene.outside)) {
      socket = files.filter(file -> file.endsWith("s1")).findFirst().orElseThrow();
    }
    try (SandboxSession session = scene.session().warm(1).open()) {
      assertReachedOutsideOnly(type, socket, session);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"STREAM", "SEQPACKET", "DGRAM"})
  void aSandboxThatWaitsIsNotUsedWhenASocketMoves(String type) throws Exception {
    try (SandboxSession session = scene.session().warm(1).open()) {
      session.run("true");
      Daemon daemon = new Daemon(type, "s.bind(os.getcwd() + '/made/in/s')");
      assertReachedOutsideOnly(type, scene.outside.resolve("made/in/s"), session);
      for (String[] move :
          new String[][] {
            {"made/in/s", "pub/s"},
            {"pub", "made/pub"},
            {"made/pub/s", "s"},
          }) {
        daemon.tell("os.rename('%s', '%s')".formatted(move[0], move[1]));
        Path now = scene.outside.resolve(move[1]);
        assertReachedOutsideOnly(type, Files.isDirectory(now) ? now.resolve("s") : now, session);
      }
      daemon.tell("os.link('s', 'made/other')");
      assertReachedOutsideOnly(type, scene.outside.resolve("made/other"), session);
      assertReachedOutsideOnly(type, scene.outside.resolve("s"), session);
    }
  }

  private static String[] unshare(String flags) {
    List<String> words = new ArrayList<>(List.of("unshare"));
    if (!Scene.isRoot()) {
      words.addAll(List.of("--user", "--map-root-user"));
    }
    words.addAll(List.of(flags.split(" ")));
    return words.toArray(String[]::new);
  }

  private void assumeNamespaces() throws Exception {
    List<String> words = new ArrayList<>(List.of(unshare("--net --mount")));
    words.add("true");
    assumeTrue(
        Unsandboxed.run(scene.base, words).status() == 0,
        "this user may not make network and mount namespaces without a sandbox");
  }

  private static Stream<Arguments> waysOfBindingInAnotherNamespace() {
    return TYPES.stream()
        .flatMap(
            type ->
                Stream.of(
                    Arguments.of(type, "--net", "s.bind(os.getcwd() + '/s1')"),
                    Arguments.of(type, "--net", "s.bind('s1')"),
                    Arguments.of(
                        type, "--net", "s.bind(os.getcwd() + '/s0'); os.rename('s0', 'pub/s1')"),
                    Arguments.of(type, "--net", "s.bind('s1'); os.chdir('/')"),
                    // A volume: the directory has another path in there.
                    Arguments.of(type, "--net --mount", VOLUME + "s.bind('/mnt/s1')"),
                    Arguments.of(
                        type, "--net --mount", VOLUME + "os.chdir('/mnt/pub'); s.bind('s1')"),
                    Arguments.of(
                        type,
                        "--net --mount",
                        VOLUME + "s.bind('/mnt/s0'); os.rename('/mnt/s0', '/mnt/pub/s1')"),
                    // The same with the host's network.
                    Arguments.of(type, "--mount", VOLUME + "s.bind('/mnt/s1')")));
  }

  private static final String VOLUME =
      "import subprocess; subprocess.run(['mount', '--bind', os.getcwd(), '/mnt'], check=True); ";

  @ParameterizedTest
  @MethodSource("waysOfBindingInAnotherNamespace")
  void aSocketOfAContainerCannotBeReached(String type, String flags, String begin)
      throws Exception {
    assumeNamespaces();
    try (SandboxSession session = scene.session().warm(1).open()) {
      session.run("true");
      new Daemon(type, begin, unshare(flags));
      Path socket;
      try (Stream<Path> files = Files.walk(scene.outside)) {
        socket = files.filter(file -> file.endsWith("s1")).findFirst().orElseThrow();
      }
      assertReachedOutsideOnly(type, socket, session);
    }
  }

  /** Nobody may look into a process of root's but root; its tables tell where the socket is. */
  @Test
  void aSocketOfAContainerThatIsAnotherUsersCannotBeReached() throws Exception {
    assumeNamespaces();
    String begin = VOLUME + "s.bind('/mnt/s1'); ctypes.CDLL(None).prctl(4, 0)";
    try (SandboxSession session = scene.session().open()) {
      session.run("true");
      new Daemon("STREAM", begin, unshare("--net --mount"));
      assertReachedOutsideOnly("STREAM", scene.outside.resolve("s1"), session);
    }
  }

  @Test
  void aFileSystemThatIsMountedTwiceShowsASocketNowhere() throws Exception {
    assumeTrue(Scene.isRoot(), "only root may mount where others see it");
    Path second = Files.createDirectory(scene.base.resolve("second"));
    String mount = "mount --bind '" + scene.outside + "' '" + second + "'";
    assertThat(Unsandboxed.shell(scene.base, mount).status()).isZero();
    try (SandboxSession session = scene.session().open()) {
      new Daemon("STREAM", "s.bind(os.getcwd() + '/s1')");
      assertReachedOutsideOnly("STREAM", second.resolve("s1"), session);
    } finally {
      Unsandboxed.shell(scene.base, "umount '" + second + "'");
    }
  }
}
