package io.zett.sandbox.host;

import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Unix sockets that accept connections or datagrams now, of all network namespaces, with the places
 * that their names would mean. Whether they are there is another question: {@link SocketFiles}.
 * Thread-safe.
 */
final class ListeningSockets implements AutoCloseable {

  private static final UnixPath TABLE = UnixPath.ofText("/proc/net/unix");

  private final Posix posix;
  private final KernelTable reader;
  private final SocketTable own = new SocketTable();
  private final NetworkNamespaces namespaces;
  private final Map<Long, Other> others = new HashMap<>();
  private List<SocketTable.Row> ownRows = List.of();
  private List<Socket> ownSockets = List.of();
  private @Nullable MountMap mounts;
  private List<Socket> known = List.of();

  /**
   * A socket that accepts.
   *
   * @param inode its own number
   * @param path as it was bound, in Latin-1
   * @param file what it was bound to; null when the kernel does not tell, as for other namespaces
   * @param foreign whether it is of another network namespace
   * @param places absolute paths that it may have been bound to, {@code ..} among their names
   */
  record Socket(
      long inode, String path, @Nullable FileId file, boolean foreign, List<String> places) {

    boolean isAbsolute() {
      return path.startsWith("/");
    }
  }

  /** Another network namespace, as it was the last time. */
  private static final class Other {
    final SocketTable table = new SocketTable();
    List<SocketTable.Row> rows = List.of();
    List<Integer> pids = List.of();
    List<Socket> sockets = List.of();
    ForeignMounts mounts;

    Other(ForeignMounts mounts) {
      this.mounts = mounts;
    }
  }

  ListeningSockets(Posix posix) {
    this.posix = posix;
    this.reader = new KernelTable(posix);
    this.namespaces = new NetworkNamespaces(posix);
  }

  /**
   * All of them; the same list as before while nothing has changed.
   *
   * @param now what is mounted; another object whenever that has changed
   */
  @SuppressWarnings("ReferenceEquality") // Each list comes anew when its table has changed.
  synchronized List<Socket> now(MountMap now) {
    boolean moved = now != mounts;
    mounts = now;
    boolean changed = false;
    List<SocketTable.Row> rows = read(own, TABLE);
    if (rows != ownRows || moved) {
      ownSockets = ownSockets(rows, now);
      ownRows = rows;
      changed = true;
    }
    List<NetworkNamespaces.Namespace> found = namespaces.others();
    Set<Long> numbers = new HashSet<>();
    for (NetworkNamespaces.Namespace each : found) {
      numbers.add(each.number());
      Other other = others.computeIfAbsent(each.number(), _ -> new Other(new ForeignMounts(posix)));
      changed |= update(other, each.pids(), now, moved);
    }
    changed |= others.keySet().retainAll(numbers);
    if (changed) {
      List<Socket> all = new ArrayList<>(ownSockets);
      others.values().forEach(other -> all.addAll(other.sockets));
      if (!all.equals(known)) { // A namespace without such sockets came or went.
        known = List.copyOf(all);
      }
    }
    return known;
  }

  @SuppressWarnings("ReferenceEquality")
  private boolean update(Other other, List<Integer> pids, MountMap now, boolean moved) {
    List<SocketTable.Row> rows = List.of();
    for (int pid : pids) { // The first that has not ended since it was listed.
      UnixPath table = UnixPath.ofText("/proc/" + pid + "/net/unix");
      try {
        rows = other.table.rows(reader.read(table));
        break;
      } catch (PosixException e) {
        e.throwIfShortage();
      }
    }
    boolean renewed = rows != other.rows || moved;
    if (renewed) {
      other.mounts = new ForeignMounts(posix);
    }
    boolean joined = !rows.isEmpty() && (renewed || !pids.equals(other.pids));
    boolean mounted = joined && other.mounts.add(pids);
    other.pids = pids;
    other.rows = rows;
    if (renewed || mounted) {
      List<Socket> before = other.sockets;
      other.sockets = sockets(rows, Map.of(), other.mounts, now);
      return !other.sockets.equals(before);
    }
    return false;
  }

  private List<SocketTable.Row> read(SocketTable table, UnixPath path) {
    ByteBuffer text;
    try {
      text = reader.readHeld(path);
    } catch (PosixException e) {
      e.throwIfShortage();
      return List.of(); // A kernel without Unix sockets, or a /proc that hides them.
    }
    return table.rows(text);
  }

  private List<Socket> ownSockets(List<SocketTable.Row> rows, MountMap now) {
    return sockets(rows, rows.isEmpty() ? Map.of() : UnixDiagnosis.files(posix), null, now);
  }

  /** With the tables of mounts that absolute paths are of; null for this process's own. */
  private List<Socket> sockets(
      List<SocketTable.Row> rows,
      Map<Long, FileId> files,
      @Nullable ForeignMounts mountedThere,
      MountMap now) {
    Set<Long> relative = new HashSet<>();
    for (SocketTable.Row row : rows) {
      if (!row.path().startsWith("/")) {
        relative.add(row.inode());
      }
    }
    Map<Long, List<SocketHolders.Holder>> holders = SocketHolders.of(posix, relative);
    ForeignMounts ofHolders = new ForeignMounts(posix);
    List<Socket> sockets = new ArrayList<>();
    for (SocketTable.Row row : rows) {
      List<String> places;
      if (relative.contains(row.inode())) {
        Set<String> found = new LinkedHashSet<>();
        for (SocketHolders.Holder holder : holders.getOrDefault(row.inode(), List.of())) {
          String directory = SocketHolders.currentDirectory(posix, holder);
          if (directory.startsWith("/")) {
            for (String at : now.translate(ofHolders.of(holder.pid()), directory)) {
              found.add(at + "/" + row.path());
            }
          }
        }
        places = List.copyOf(found);
      } else {
        places =
            mountedThere == null ? List.of(row.path()) : mountedThere.translate(row.path(), now);
      }
      boolean foreign = mountedThere != null;
      FileId file = files.get(row.inode());
      sockets.add(new Socket(row.inode(), row.path(), file, foreign, places));
    }
    return List.copyOf(sockets);
  }

  @Override
  public synchronized void close() {
    reader.close();
    namespaces.close();
  }
}
