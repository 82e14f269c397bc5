package io.zett.sandbox.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Looking for the file of a socket without being told where it is. */
class SocketSearchTest {

  @Test
  void aTreeThatIsTooWideDoesNotKeepItFromTheOthers(@TempDir Path temporary) throws Exception {
    Path directory = temporary.toRealPath();
    Path wide = Files.createDirectory(directory.resolve("wide"));
    for (int i = 0; i <= SocketSearch.MOST_DIRECTORIES; i++) {
      Files.createDirectory(wide.resolve(Integer.toString(i)));
    }
    Path deep = Files.createDirectories(directory.resolve("other/far/away"));
    Posix posix = Posix.system();
    try (MountedSockets mounted = new MountedSockets(posix);
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(deep.resolve("s")));
      MountMap mounts = mounted.now().map();
      FileStatus status = Objects.requireNonNull(posix.lstat(UnixPath.of(deep.resolve("s"))));
      FileId file = FileId.of(status, mounts);

      SocketSearch search = new SocketSearch(posix, mounts, Map.of(file, -1L));
      search.below(List.of(wide.toString(), directory.resolve("other").toString()));
      assertThat(search.namesOf(file)).containsExactly(deep.resolve("s").toString());
    }
  }
}
