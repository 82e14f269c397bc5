package io.zett.sandbox.cases.confinement;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.posix.Posix;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unix sockets of the host are a way out even without any network: none can be reached. */
class UnixSocketsTest {

  private static final String CONNECT =
      """
      import socket, sys
      for path in sys.argv[1:]:
        s = socket.socket(socket.AF_UNIX)
        try:
          s.connect(path.replace('@', chr(0)))
          print(s.recv(9).decode())
        except OSError as e: print('refused')
      """;

  @TempDir Path temporary;
  private Scene scene;

  @BeforeEach
  void scene() throws Exception {
    scene = new Scene(temporary);
  }

  /** A daemon of the host that greets everybody. */
  private record Daemon(ServerSocketChannel channel, Path path) implements AutoCloseable {
    static Daemon at(Path path) throws IOException {
      ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      channel.bind(UnixDomainSocketAddress.of(path));
      Thread.ofPlatform()
          .daemon()
          .start(
              () -> {
                try {
                  while (true) {
                    try (SocketChannel client = channel.accept()) {
                      client.write(ByteBuffer.wrap("REACHED".getBytes(UTF_8)));
                    }
                  }
                } catch (IOException closed) {
                  // The test is over.
                }
              });
      return new Daemon(channel, path);
    }

    @Override
    public void close() throws IOException {
      channel.close();
      Files.deleteIfExists(path);
    }
  }

  private static List<String> connect(Object... paths) {
    List<String> words = new java.util.ArrayList<>(List.of(Scene.PYTHON, "-c", CONNECT));
    for (Object path : paths) {
      words.add(path.toString());
    }
    return words;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSocketInAVisibleDirectoryCannotBeReached(boolean network) throws Exception {
    Path socket = scene.outside.resolve("s.sock");
    try (Daemon daemon = Daemon.at(socket);
        SandboxSession session = scene.session().network(network).open()) {
      Path link = Files.createSymbolicLink(scene.workspace.resolve("link"), daemon.path());
      assertThat(Unsandboxed.run(scene.workspace, connect(socket, link)).out())
          .isEqualTo("REACHED\nREACHED\n");

      SandboxResult result = session.run(connect(socket, link, "../H/s.sock"));
      assertThat(result.stdout()).isEqualTo("refused\nrefused\nrefused\n");
    }
  }

  @Test
  void aSocketThatAppearedAfterTheSessionOpenedIsSeenByTheNextCommand() throws Exception {
    Path socket = scene.outside.resolve("late.sock");
    try (SandboxSession session = scene.session().open()) {
      session.run("true");
      try (Daemon daemon = Daemon.at(socket)) {
        assertThat(session.run(connect(daemon.path())).stdout()).isEqualTo("refused\n");
      }
    }
  }

  /** How a listener is bound in its directory, and what its socket is called in the end. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "s.bind('s.sock')",
        "s.bind('./sub/../s.sock')",
        "s.bind(os.getcwd() + '/first'); os.rename('first', 's.sock')",
        "s.bind(os.getcwd() + '/first'); os.link('first', 's.sock'); os.unlink('first')"
      })
  void aSocketCannotBeReachedHoweverItGotItsName(String bind) throws Exception {
    String server =
        """
        import os, socket, sys
        os.mkdir('sub')
        s = socket.socket(socket.AF_UNIX)
        %s
        s.listen()
        print('bound', flush=True)
        while True: s.accept()[0].send(b'REACHED')
        """
            .formatted(bind);
    Path socket = scene.outside.resolve("s.sock");
    Process daemon =
        new ProcessBuilder(Scene.PYTHON, "-c", server).directory(scene.outside.toFile()).start();
    try (BufferedReader out = daemon.inputReader(UTF_8);
        SandboxSession session = scene.session().warm(1).open()) {
      assertThat(out.readLine()).isEqualTo("bound");
      assertThat(Unsandboxed.run(scene.base, connect(socket)).out()).isEqualTo("REACHED\n");
      assertThat(session.run(connect(socket)).stdout()).isEqualTo("refused\n");
      assertThat(session.run(connect(socket)).stdout()).isEqualTo("refused\n");
    } finally {
      daemon.destroyForcibly().waitFor();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/tmp", "/var/tmp", "/dev/shm", "/run", "/var", "/srv"})
  void aSocketInADirectoryOfTheSystemCannotBeReached(String parent) throws Exception {
    assumeTrue(Files.isWritable(Path.of(parent)), parent + " can only be written by root");
    Path directory = Files.createTempDirectory(Path.of(parent), "zett-case");
    try (Daemon daemon = Daemon.at(directory.resolve("s.sock"));
        SandboxSession session = scene.session().open()) {
      assertThat(Unsandboxed.run(scene.workspace, connect(daemon.path())).out())
          .isEqualTo("REACHED\n");
      assertThat(session.run(connect(daemon.path())).stdout()).isEqualTo("refused\n");
    } finally {
      Files.delete(directory);
    }
  }

  /**
   * More than bubblewrap takes mounts: anybody on the machine could keep commands from starting.
   */
  @Test
  void thousandsOfSocketsInADirectoryHideItAndStopNobody() throws Exception {
    Path crowd = Files.createDirectory(scene.outside.resolve("crowd"));
    Path seen = scene.host("crowd/seen", "seen");
    String server =
        """
        import os, resource, socket, sys
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        os.chdir(sys.argv[1])
        sockets = [socket.socket(socket.AF_UNIX) for _ in range(3000)]
        for number, s in enumerate(sockets):
          s.bind(os.getcwd() + '/' + str(number))
          s.listen()
        print('bound', flush=True)
        while True: sockets[2999].accept()[0].send(b'REACHED')
        """;
    Process daemon = new ProcessBuilder(Scene.PYTHON, "-c", server, crowd.toString()).start();
    try (BufferedReader out = daemon.inputReader(UTF_8);
        SandboxSession session = scene.session().open();
        SandboxSession allowing = scene.session().allowRead(seen).open()) {
      assertThat(out.readLine()).isEqualTo("bound");
      List<String> last = connect(crowd.resolve("2999"));
      assertThat(Unsandboxed.run(scene.base, last).out()).isEqualTo("REACHED\n");
      assertThat(session.run(last).stdout()).isEqualTo("refused\n");
      assertThat(session.run(List.of("cat", seen.toString())).exitCode()).isEqualTo(1);
      assertThat(allowing.run(last).stdout()).isEqualTo("refused\n");
      assertThat(allowing.run(List.of("cat", seen.toString())).stdout()).isEqualTo("seen");
    } finally {
      daemon.destroyForcibly().waitFor();
    }
  }

  @Test
  void aDatagramSocketCannotBeWrittenTo() throws Exception {
    Path socket = scene.outside.resolve("log.sock");
    String server =
        """
        import socket, sys
        s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        s.bind(sys.argv[1])
        print('bound', flush=True)
        print(s.recv(9).decode(), flush=True)
        """;
    String client =
        """
        import socket, sys
        s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try: s.sendto(sys.argv[2].encode(), sys.argv[1]); print('sent')
        except OSError: print('refused')
        """;
    Process daemon = new ProcessBuilder(Scene.PYTHON, "-c", server, socket.toString()).start();
    try (BufferedReader out = daemon.inputReader(UTF_8);
        SandboxSession session = scene.session().open()) {
      assertThat(out.readLine()).isEqualTo("bound");
      SandboxResult result =
          session.run(List.of(Scene.PYTHON, "-c", client, socket.toString(), "sandbox"));
      assertThat(result.stdout()).isEqualTo("refused\n");
      assertThat(
              Unsandboxed.run(
                      scene.base, List.of(Scene.PYTHON, "-c", client, socket.toString(), "host"))
                  .out())
          .isEqualTo("sent\n");
      assertThat(out.readLine()).isEqualTo("host");
    } finally {
      daemon.destroyForcibly().waitFor();
    }
  }

  /**
   * The network namespace holds the abstract names too: with the caller's network they are there,
   * and only Landlock closes them, from its version 6 on.
   */
  @Test
  void abstractSocketsAreReachedWithTheCallersNetworkAndAnOlderKernelOnly() throws Exception {
    String name = "@zett-case-" + System.nanoTime();
    String server =
        """
        import socket, sys
        s = socket.socket(socket.AF_UNIX)
        s.bind(sys.argv[1].replace('@', chr(0)))
        s.listen()
        print('bound', flush=True)
        while True: s.accept()[0].send(b'REACHED')
        """;
    Process daemon = new ProcessBuilder(Scene.PYTHON, "-c", server, name).start();
    try (BufferedReader out = daemon.inputReader(UTF_8);
        SandboxSession without = scene.session().open();
        SandboxSession with = scene.session().network(true).open()) {
      assertThat(out.readLine()).isEqualTo("bound");
      assertThat(Unsandboxed.run(scene.base, connect(name)).out()).isEqualTo("REACHED\n");
      assertThat(without.run(connect(name)).stdout()).isEqualTo("refused\n");
      boolean scoped = Posix.system().landlockVersion() >= 6;
      assertThat(with.run(connect(name)).stdout()).isEqualTo(scoped ? "refused\n" : "REACHED\n");
    } finally {
      daemon.destroyForcibly().waitFor();
    }
  }

  /** What the option closes, and that it is open without. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSocketThatAppearsLaterIsOutOfReachWithBlockedUnixSocketsOnly(boolean blocked)
      throws Exception {
    Path socket = scene.outside.resolve("later.sock");
    Path started = scene.workspace.resolve("started");
    String wait =
        "import os, sys, time\n"
            + "open('started', 'w').close()\n"
            + "while not os.path.exists(sys.argv[1]): time.sleep(0.01)\n";
    try (SandboxSession session = scene.session().blockUnixSockets(blocked).open()) {
      var pending =
          session.runAsync(List.of(Scene.PYTHON, "-c", wait + CONNECT, socket.toString()));
      while (!Files.exists(started) && !pending.isDone()) {
        Thread.sleep(5);
      }
      try (Daemon daemon = Daemon.at(scene.outside.resolve("new.sock"))) {
        Files.move(daemon.path(), socket); // once it listens
        SandboxResult result = pending.join();
        assertThat(socket).exists();
        if (blocked) {
          assertThat(result.stderr()).contains("PermissionError");
        }
        assertThat(result.stdout()).isEqualTo(blocked ? "" : "REACHED\n");
      }
    }
  }

  @Test
  void blockedUnixSocketsLeaveSocketPairsAndPipes() {
    try (SandboxSession session = scene.session().blockUnixSockets(true).open()) {
      SandboxResult result =
          session.run(
              List.of(
                  Scene.PYTHON,
                  "-c",
                  """
                  import multiprocessing, socket
                  a, b = socket.socketpair(); a.send(b'pair'); print(b.recv(9).decode())
                  with multiprocessing.Pool(2) as p: print(p.map(abs, [-1, 2]))
                  try: socket.socket(socket.AF_UNIX)
                  except PermissionError: print('refused')
                  """));

      assertThat(result.stdout()).as(result.stderr()).isEqualTo("pair\n[1, 2]\nrefused\n");
      if (Files.isExecutable(Path.of("/usr/bin/git"))) {
        assertThat(session.run("git init -q r && git -C r status --short").succeeded()).isTrue();
      }
    }
  }

  @Test
  void ownSocketsWorkWithinACommand() {
    try (SandboxSession session = scene.session().open()) {
      SandboxResult result =
          session.run(
              List.of(
                  Scene.PYTHON,
                  "-c",
                  """
                  import multiprocessing, socket
                  a, b = socket.socketpair(); a.send(b'pair'); print(b.recv(9).decode())
                  for path in ('own.sock', '/tmp/own.sock', chr(0) + 'own'):
                    s = socket.socket(socket.AF_UNIX); s.bind(path); s.listen()
                    c = socket.socket(socket.AF_UNIX); c.connect(path)
                    s.accept()[0].send(b'own'); print(c.recv(9).decode())
                  with multiprocessing.Manager() as m: print(list(m.list([1])))
                  """));

      assertThat(result.stdout()).as(result.stderr()).isEqualTo("pair\nown\nown\nown\n[1]\n");
    }
  }
}
