package io.zett.sandbox.cases.confinement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No network, but a loopback of one's own; or the caller's network, whole. */
class NetworkTest {

  @TempDir Path temporary;
  private Scene scene;

  @BeforeEach
  void scene() throws Exception {
    scene = new Scene(temporary);
  }

  /**
   * Says for each {@code host:port} whether something answers, and that it took no time to tell.
   */
  private static final String CONNECT =
      """
      import socket, sys, time
      for word in sys.argv[1:]:
        host, port = word.rsplit(':', 1)
        start = time.monotonic()
        try:
          socket.create_connection((host, int(port)), timeout=20).close()
          print('reached', word)
        except OSError:
          print('refused' if time.monotonic() - start < 10 else 'hung', word)
      """;

  private static List<String> connect(String... words) {
    List<String> all = new ArrayList<>(List.of(Scene.PYTHON, "-c", CONNECT));
    all.addAll(List.of(words));
    return all;
  }

  @Test
  void aServerOfTheCommandIsReachedOnItsOwnLoopback() {
    try (SandboxSession session = scene.session().open()) {
      SandboxResult result =
          session.run(
              List.of(
                  Scene.PYTHON,
                  "-c",
                  """
                  import http.server, threading, urllib.request
                  s = http.server.ThreadingHTTPServer(('127.0.0.1', 8123), http.server.SimpleHTTPRequestHandler)
                  threading.Thread(target=s.serve_forever, daemon=True).start()
                  for host in ('127.0.0.1', 'localhost'):
                    print(urllib.request.urlopen('http://%s:8123/' % host).status)
                  """));

      assertThat(result.stdout()).as(result.stderr()).isEqualTo("200\n200\n");
    }
  }

  @Test
  void nothingOfTheHostsNetworkIsReachedAndNothingHangs() throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocket server = new ServerSocket(0, 50, loopback);
        DatagramSocket datagrams = new DatagramSocket(new InetSocketAddress(loopback, 0));
        SandboxSession session = scene.session().open()) {
      String there = "127.0.0.1:" + server.getLocalPort();
      assertThat(Unsandboxed.run(scene.base, connect(there)).out()).startsWith("reached");

      SandboxResult result =
          session.run(
              connect(
                  there,
                  "localhost:" + server.getLocalPort(),
                  "169.254.169.254:80",
                  "10.0.0.1:80",
                  "192.0.2.1:443",
                  "[::1]:" + server.getLocalPort(),
                  "example.com:80"));
      assertThat(result.stdout().lines()).hasSize(7).allMatch(line -> line.startsWith("refused"));

      session.run(
          List.of(
              Scene.PYTHON,
              "-c",
              "import socket; socket.socket(2, 2).sendto(b'x', ('127.0.0.1', %d))"
                  .formatted(datagrams.getLocalPort())));
      datagrams.setSoTimeout(1);
      assertThat(received(datagrams)).isFalse();
      assertThat(session.run("ls /sys/class/net 2>/dev/null; cat /proc/net/dev").stdout())
          .contains("lo:")
          .doesNotContain("eth0:");
    }
  }

  private static boolean received(DatagramSocket socket) throws Exception {
    try {
      socket.receive(new java.net.DatagramPacket(new byte[9], 9));
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void onlyOrdinarySocketsCanBeMade(boolean network) {
    try (SandboxSession session = scene.session().network(network).open()) {
      SandboxResult result =
          session.run(
              List.of(
                  Scene.PYTHON,
                  "-c",
                  """
                  import ctypes, errno
                  c = ctypes.CDLL(None, use_errno=True)
                  # vsock, alg, packet, tipc, bluetooth, can, xdp, rds, nfc, qipcrtr, smc, key, vsock seqpacket
                  for family in (40, 38, 17, 30, 31, 29, 44, 21, 39, 42, 43, 15):
                    for kind in (1, 2, 3, 5):
                      if c.socket(family, kind, 0) >= 0: print('made', family, kind)
                      elif ctypes.get_errno() != errno.EAFNOSUPPORT:
                        print('asked the kernel', family, kind, ctypes.get_errno())
                  for protocol in (4, 6, 7, 9, 10, 12, 15, 16, 21):
                    if c.socket(16, 3, protocol) >= 0: print('made netlink', protocol)
                  for family in (2, 10):
                    if c.socket(family, 3, 1) >= 0: print('made raw', family)
                  print(*(c.socket(family, 1, 0) >= 0 for family in (1, 2)), c.socket(16, 3, 0) >= 0)
                  """));

      assertThat(result.stdout()).isEqualTo("True True True\n");
    }
  }

  @Test
  void withTheCallersNetworkItsServersAreReachedAndNamesResolve() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        SandboxSession session = scene.session().network(true).open()) {
      SandboxResult result =
          session.run(
              connect("127.0.0.1:" + server.getLocalPort(), "localhost:" + server.getLocalPort()));

      assertThat(result.stdout().lines()).hasSize(2).allMatch(line -> line.startsWith("reached"));
      assertThat(session.run("getent hosts localhost >/dev/null && cat /etc/resolv.conf").stdout())
          .isEqualTo(Files.readString(Path.of("/etc/resolv.conf")));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/run/zett/resolv.conf", "../run/zett/resolv.conf", "/var/run/zett/resolv.conf"})
  void aResolverFileInTheEmptiedRunDirectoryIsThere(String target) throws Exception {
    assumeTrue(Scene.isRoot(), "only root can give a caller another /etc and /run");
    Path etc = scene.base.resolve("etc");
    String prepare =
        """
        set -e
        mount --make-rprivate /
        mkdir %1$s
        mount -t tmpfs none %1$s
        for name in passwd group hosts nsswitch.conf ld.so.cache java; do
          cp -a /etc/$name* %1$s/ || :
        done 2>/dev/null
        ln -s %2$s %1$s/resolv.conf
        mount --bind %1$s /etc
        mount -t tmpfs none /run
        mkdir /run/zett
        echo '# of the caller' > /run/zett/resolv.conf
        echo SECRET > /run/zett/other
        exec "$@"
        """
            .formatted(etc, target);
    for (String network : List.of("true", "false")) {
      List<String> words =
          new ArrayList<>(List.of("unshare", "--mount", "/bin/sh", "-c", prepare, "sh"));
      words.addAll(
          Caller.words(
              scene,
              "network=" + network,
              "run=cat /etc/resolv.conf; cat /run/zett/other; ls /run"));
      Unsandboxed.End end = Unsandboxed.end(Caller.start(scene, Map.of(), words));

      if (network.equals("true")) {
        assertThat(end.out()).as(end.err()).startsWith("# of the caller\n");
      }
      assertThat(end.out()).doesNotContain("SECRET", "failed");
    }
  }
}
