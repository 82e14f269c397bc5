package io.zett.sandbox.host;

import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Where daemons of this machine listen, as far as Linux tells. Thread-safe. */
final class KernelSockets implements AutoCloseable {
  private final ListeningSockets listening;
  private final MountedSockets mounted;
  private final SocketFiles files;

  /**
   * What the tables say.
   *
   * @param listening sockets that somebody listens at
   * @param mounted what is mounted, sockets above all
   */
  record Seen(List<ListeningSockets.Socket> listening, MountedSockets.Mounts mounted) {

    /** The same objects, not equal ones: each comes anew when its table has changed. */
    @SuppressWarnings("ReferenceEquality")
    boolean isStill(@Nullable Seen now) {
      return now != null && listening == now.listening && mounted == now.mounted;
    }
  }

  /**
   * A look at this machine.
   *
   * @param likely directories where sockets of this user are likely to be
   */
  KernelSockets(Posix posix, List<UnixPath> likely) {
    listening = new ListeningSockets(posix);
    mounted = new MountedSockets(posix);
    files = new SocketFiles(posix, likely);
  }

  Seen now() {
    MountedSockets.Mounts mountedNow = mounted.now();
    return new Seen(listening.now(mountedNow.map()), mountedNow);
  }

  /**
   * The real paths of those that a sandbox would show.
   *
   * @param hidden what no sandbox shows
   */
  List<UnixPath> find(PathWalk walk, Seen seen, Predicate<UnixPath> hidden) {
    Set<UnixPath> sockets =
        new LinkedHashSet<>(files.find(walk, seen.listening(), seen.mounted().map(), hidden));
    sockets.addAll(seen.mounted().sockets());
    sockets.removeIf(hidden);
    return List.copyOf(sockets);
  }

  @Override
  public void close() {
    listening.close();
    mounted.close();
  }
}
