package io.zett.sandbox.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.posix.Posix;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kernel's table of Unix sockets. */
class ListeningSocketsTest {

  private static final String HEAD = "Num       RefCount Protocol Flags    Type St Inode Path\n";

  @Test
  void listenersAndDatagramSocketsAreFoundOthersNot() {
    assertThat(
            parse(
                HEAD
                    + "0000000000000000: 00000002 00000000 00010000 0001 01 101 /run/listens\n"
                    + "0000000000000000: 00000003 00000000 00000000 0001 03 102 /run/accepted\n"
                    + "0000000000000000: 00000002 00000000 00000000 0002 01 103 /dev/log\n"
                    + "0000000000000000: 00000002 00000000 00010000 0005 01 104 /run/seq packet\n"
                    + "0000000000000000: 00000002 00000000 00010000 0001 01 105 @/abstract\n"
                    + "0000000000000000: 00000002 00000000 00010000 0001 01 106 relative\n"
                    + "0000000000000000: 00000003 00000000 00000000 0001 03 107\n"))
        .containsExactly("/run/listens", "/dev/log", "/run/seq packet", "relative");
  }

  @Test
  void aLineFeedInANameHidesNothing() {
    assertThat(
            parse(
                HEAD
                    + "ffff8880: 00000002 00000000 00010000 0001 01 101 /run/odd\nname\n\nx\n"
                    + "ffff8880: 00000002 00000000 00010000 0001 01 102 /run/next\n"))
        .containsExactly("/run/odd\nname\n\nx", "/run/next");
  }

  @Test
  void anEmptyOrUnknownTableHasNone() {
    assertThat(parse("")).isEmpty();
    assertThat(parse(HEAD)).isEmpty();
  }

  @Test
  void aRealListenerIsFound(@TempDir Path directory) throws Exception {
    Path path = directory.resolve("s");
    try (ListeningSockets sockets = new ListeningSockets(Posix.system())) {
      try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        server.bind(UnixDomainSocketAddress.of(path));
        assertThat(paths(sockets)).contains(path.toString());
      }
      assertThat(paths(sockets)).doesNotContain(path.toString());
    }
  }

  @Test
  void theListIsTheSameWhileOnlyOtherSocketsComeAndGo(@TempDir Path directory) throws Exception {
    try (ListeningSockets sockets = new ListeningSockets(Posix.system());
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(directory.resolve("s")));
      List<ListeningSockets.Socket> before = sockets.now(MountMap.NONE);
      try (SocketChannel client = SocketChannel.open(server.getLocalAddress())) {
        assertThat(client.isConnected()).isTrue();
        assertThat(sockets.now(MountMap.NONE)).isSameAs(before);
      }
    }
  }

  private static List<String> paths(ListeningSockets sockets) {
    return sockets.now(MountMap.NONE).stream().map(ListeningSockets.Socket::path).toList();
  }

  private static List<String> parse(String table) {
    byte[] bytes = table.getBytes(StandardCharsets.ISO_8859_1);
    return SocketTable.parse(ByteBuffer.wrap(bytes)).stream().map(SocketTable.Row::path).toList();
  }
}
