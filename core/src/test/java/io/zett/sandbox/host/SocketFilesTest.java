package io.zett.sandbox.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What it costs to find sockets. */
class SocketFilesTest {

  @TempDir Path temporary;
  private Path directory;
  private final AtomicInteger listings = new AtomicInteger();
  private final Posix posix = counting();
  private SocketFiles files = new SocketFiles(posix, List.of());

  @BeforeEach
  void directory() throws Exception {
    directory = temporary.toRealPath();
    files = new SocketFiles(posix, List.of(UnixPath.of(directory)));
  }

  private Posix counting() {
    Posix real = Posix.system();
    return (Posix)
        Proxy.newProxyInstance(
            SocketFilesTest.class.getClassLoader(),
            new Class<?>[] {Posix.class},
            (proxy, method, arguments) -> {
              if (method.isDefault()) {
                return InvocationHandler.invokeDefault(proxy, method, arguments);
              }
              if (method.getName().equals("getdents")) {
                listings.incrementAndGet();
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private Set<UnixPath> find(ListeningSockets listening, MountedSockets mounted, String mark) {
    MountMap mounts = mounted.now().map();
    List<ListeningSockets.Socket> mine =
        listening.now(mounts).stream().filter(socket -> socket.path().endsWith(mark)).toList();
    listings.set(0);
    return files.find(new PathWalk(posix, Set.of()), mine, mounts, _ -> false);
  }

  @Test
  void aSocketAtItsPlaceCostsNoListingAndAMovedOneIsLookedForOnce() throws Exception {
    try (ListeningSockets listening = new ListeningSockets(posix);
        MountedSockets mounted = new MountedSockets(posix);
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(directory.resolve("s.costs")));
      assertThat(find(listening, mounted, "s.costs"))
          .containsExactly(UnixPath.of(directory.resolve("s.costs")));
      assertThat(listings).hasValue(0);

      Path moved = Files.createDirectory(directory.resolve("other")).resolve("t");
      Files.move(directory.resolve("s.costs"), moved);
      assertThat(find(listening, mounted, "s.costs")).containsExactly(UnixPath.of(moved));
      assertThat(listings.get()).isPositive();
      assertThat(find(listening, mounted, "s.costs")).containsExactly(UnixPath.of(moved));
      assertThat(listings).hasValue(0);
    }
  }

  @Test
  void aSocketWithoutAFileIsLookedForOnceWithinBounds() throws Exception {
    try (ListeningSockets listening = new ListeningSockets(posix);
        MountedSockets mounted = new MountedSockets(posix);
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      Path path = directory.resolve("s.gone");
      server.bind(UnixDomainSocketAddress.of(path));
      Files.delete(path);

      assertThat(find(listening, mounted, "s.gone")).isEmpty();
      // A directory takes two calls or so; beside it, the descriptors of all processes are listed.
      assertThat(listings).hasValueLessThan(5 * SocketSearch.MOST_DIRECTORIES);
      assertThat(find(listening, mounted, "s.gone")).isEmpty();
      assertThat(listings).hasValue(0);
    }
  }
}
