package io.zett.sandbox.cases.confinement;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One script that tries everything a sandbox must stop, and outstays its time limit. */
class HostileScriptTest {

  private static final String MARK = "zett-outlives-" + System.nanoTime();

  @TempDir Path temporary;
  private Scene scene;
  private Process victim;
  private ServerSocket server;
  private ServerSocketChannel daemon;
  private final Map<String, String> environment = new HashMap<>();

  @BeforeEach
  void host() throws Exception {
    scene = new Scene(temporary);
    scene.host("file", "precious");
    scene.work("conf/key", "SECRET");
    for (String name :
        List.of(
            ".ssh/id_ed25519",
            ".aws/credentials",
            ".npmrc",
            ".git-credentials",
            ".pgpass",
            ".password-store/site.gpg",
            ".msmtprc",
            ".mozilla/logins.json",
            ".bitcoin/wallet.dat",
            ".claude/.credentials.json",
            ".bash_history")) {
      Scene.write(scene.home.resolve(name), "SECRET");
    }
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    daemon = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    daemon.bind(UnixDomainSocketAddress.of(scene.outside.resolve("daemon.sock")));
    victim = new ProcessBuilder(Scene.PYTHON, "-c", "input()", "zett-victim").start();
    environment.put("ZETT_TEST_TOKEN", "tok-" + System.nanoTime());
  }

  @AfterEach
  void clear() throws Exception {
    victim.destroyForcibly().waitFor();
    server.close();
    daemon.close();
  }

  /** What the script has to know of the host. */
  private String facts() {
    return """
        H=%s; PORT=%d; VICTIM=%d; TOKEN=%s
        export H PORT VICTIM TOKEN
        """
        .formatted(
            scene.outside,
            server.getLocalPort(),
            victim.pid(),
            // Not as it is: the script itself must not be what is found.
            environment.get("ZETT_TEST_TOKEN").replace("tok-", "[t]ok-"));
  }

  private String script() {
    StringBuilder script = new StringBuilder("#!/bin/sh\n").append(facts());
    script.append(
        """
        if [ "$1" = outstay ]; then
          echo outstaying
          (setsid /bin/sh -c 'trap "" TERM HUP INT; while :; do echo x > late; done' MARK &) &
          trap '' TERM HUP INT
          while :; do :; done
        fi
        attempt() {
          if /bin/sh -c "$2" >/dev/null 2>&1 </dev/null; then echo "SUCCEEDED $1"
          else echo "refused $1"; fi
        }
        """
            .replace("MARK", MARK));
    for (Attempt attempt : Attempt.all()) {
      script
          .append("attempt '")
          .append(attempt.name().replace("'", "'\\''"))
          .append("' '")
          .append(attempt.attack().replace("'", "'\\''"))
          .append("'\n");
    }
    return script.toString();
  }

  @Test
  void nothingThatAHostileScriptTriesWorks() throws Exception {
    harmlessFormsWorkOnTheHost();
    Files.deleteIfExists(scene.outside.resolve("new"));
    Files.deleteIfExists(scene.workspace.resolve("link"));
    scene.work("hostile.sh", script());

    Unsandboxed.End end =
        Caller.run(
            scene,
            environment,
            "denyRead=" + scene.workspace.resolve("conf/key"),
            "denyWrite=" + scene.workspace.resolve(".git"),
            "timeout=120",
            "run=exec /bin/sh hostile.sh",
            "timeout=3",
            "run=exec /bin/sh hostile.sh outstay");

    List<String> expected =
        Stream.concat(
                Attempt.all().stream().map(attempt -> "refused " + attempt.name()),
                Stream.of("outstaying"))
            .toList();
    assertThat(end.out().lines()).as(end.err()).containsExactlyElementsOf(expected);
    assertThat(expected).hasSizeGreaterThan(30);
    nothingIsLeft();
  }

  private void harmlessFormsWorkOnTheHost() throws Exception {
    Map<String, String> home = new HashMap<>(environment);
    home.put("PWD", scene.workspace.toString());
    for (Attempt attempt : Attempt.all()) {
      if (attempt.harmless() == null || (attempt.asRoot() && !Scene.isRoot())) {
        continue;
      }
      String text = "cd W\n" + facts() + attempt.harmless();
      Unsandboxed.End end =
          Unsandboxed.end(Caller.start(scene, home, List.of("/bin/sh", "-c", text)));
      assertThat(end.status()).as("%s on the host: %s", attempt.name(), end.err()).isZero();
    }
  }

  private void nothingIsLeft() throws IOException {
    assertThat(victim.isAlive()).isTrue();
    assertThat(scene.outside.resolve("file")).hasContent("precious");
    assertThat(scene.outside.resolve("new")).doesNotExist();
    assertThat(scene.workspace.resolve("conf/key")).hasContent("SECRET");
    assertThat(scene.workspace.resolve(".git")).doesNotExist();
    for (String path :
        List.of("/etc/zett-pwn", "/zett-pwn", "/tmp/zett-fill", "/dev/shm/zett-fill")) {
      assertThat(Path.of(path)).doesNotExist();
    }
    try (Stream<Path> all = Files.list(Path.of("/proc"))) {
      assertThat(all.filter(process -> commandLine(process).contains(MARK))).isEmpty();
    }
    // It wrote all the time while it lived.
    assertThat(scene.workspace.resolve("late")).exists();
  }

  private static String commandLine(Path process) {
    try {
      return process.getFileName().toString().matches("\\d+")
          ? Files.readString(
              process.resolve("cmdline"), java.nio.charset.StandardCharsets.ISO_8859_1)
          : "";
    } catch (IOException e) {
      return ""; // It has ended.
    }
  }
}
