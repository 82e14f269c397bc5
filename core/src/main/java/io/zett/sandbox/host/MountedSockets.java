package io.zett.sandbox.host;

import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Sockets that are mounts of their own, as a container has its engine's socket: their listener is
 * in another network namespace, so no table here names them.
 *
 * <p>The table of mounts is read each time, but understood only when it has changed. Thread-safe.
 */
final class MountedSockets implements AutoCloseable {

  private static final UnixPath TABLE = UnixPath.ofText("/proc/self/mountinfo");

  private final Posix posix;
  private final KernelTable table;
  private byte[] knownTable = {};
  private Mounts known = new Mounts(List.of(), MountMap.NONE);

  /** What one state of the table says; another object for each state. */
  static final class Mounts {
    private final List<UnixPath> sockets;

    private final MountMap map;

    private Mounts(List<UnixPath> sockets, MountMap map) {
      this.sockets = List.copyOf(sockets);
      this.map = map;
    }

    MountMap map() {
      return map;
    }

    List<UnixPath> sockets() {
      return sockets;
    }
  }

  MountedSockets(Posix posix) {
    this.posix = posix;
    this.table = new KernelTable(posix);
  }

  /** Their paths; the same object as before while no mount has changed. */
  synchronized Mounts now() {
    ByteBuffer mounts;
    try {
      mounts = table.readHeld(TABLE);
    } catch (PosixException e) {
      e.throwIfShortage();
      // No /proc: then there is no sandbox either, and its own failure tells.
      return new Mounts(List.of(), MountMap.NONE);
    }
    if (mounts.equals(ByteBuffer.wrap(knownTable))) {
      return known;
    }
    byte[] bytes = new byte[mounts.remaining()];
    mounts.get(bytes);
    List<UnixPath> sockets = new ArrayList<>();
    MountMap map = new MountMap(MountTable.parse(bytes));
    for (MountTable.Mount mount : map.mounts()) {
      if (mount.root().equals("/")) {
        continue; // A whole file system; looking at a dead network disk would hang.
      }
      UnixPath path = UnixPath.of(mount.point().getBytes(StandardCharsets.ISO_8859_1));
      FileStatus status = posix.lstatIfAllowed(path);
      if (status != null && status.isSocket()) {
        sockets.add(path);
      }
    }
    knownTable = bytes;
    known = new Mounts(sockets, map);
    return known;
  }

  @Override
  public synchronized void close() {
    table.close();
  }
}
