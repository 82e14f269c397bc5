package io.zett.sandbox.host;

import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sockets that are mounts of their own, as a container has its engine's socket: their listener is
 * in another network namespace, so no table here names them.
 *
 * <p>The table of mounts is read each time, but understood only when it has changed. Thread-safe.
 */
final class MountedSockets {

  private static final UnixPath TABLE = UnixPath.ofText("/proc/self/mountinfo");
  private static final int LONGEST = 64 << 20;

  private final Posix posix;
  private volatile Known known = new Known(new byte[0], List.of());

  @SuppressWarnings("ArrayRecordComponent") // Compared by content below.
  private record Known(byte[] table, List<UnixPath> sockets) {}

  MountedSockets(Posix posix) {
    this.posix = posix;
  }

  List<UnixPath> now() {
    try {
      byte[] table = posix.readFile(TABLE, LONGEST);
      Known before = known;
      if (Arrays.equals(table, before.table)) {
        return before.sockets;
      }
      List<UnixPath> sockets = new ArrayList<>();
      for (MountTable.Mount mount : MountTable.parse(table)) {
        if (mount.root().equals("/")) {
          continue; // A whole file system; looking at a dead network disk would hang.
        }
        UnixPath path = UnixPath.of(mount.point().getBytes(StandardCharsets.ISO_8859_1));
        FileStatus status = status(path);
        if (status != null && status.isSocket()) {
          sockets.add(path);
        }
      }
      known = new Known(table, List.copyOf(sockets));
      return known.sockets;
    } catch (PosixException e) {
      return List.of(); // No /proc: then there is no sandbox either, and its own failure tells.
    }
  }

  private @Nullable FileStatus status(UnixPath path) {
    try {
      return posix.lstat(path);
    } catch (PosixException e) {
      return null;
    }
  }
}
