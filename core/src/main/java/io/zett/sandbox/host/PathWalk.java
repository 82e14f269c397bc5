package io.zett.sandbox.host;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.DiskCalls;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.SeenFile;
import io.zett.sandbox.posix.SeenFiles;
import io.zett.sandbox.posix.UnixPath;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Follows paths component by component, looking at each directory once.
 *
 * <p>Own steps instead of {@code realpath(3)}: that says neither which links were met nor where the
 * first missing component is. What is found holds for this walk only; whoever acts on it verifies
 * the result. Not thread-safe.
 */
final class PathWalk {

  /** As many links as the kernel follows in one path (MAXSYMLINKS). */
  private static final int MOST_LINKS = 40;

  /** Coarse time stamps (FAT has 2 s) could hide a second change right after the first. */
  static final long SETTLED_NANOS = 3_000_000_000L;

  private final DiskCalls disk;
  private final Set<UnixPath> writableRoots;
  private final Node root;
  private boolean repeatable = true;

  /** One path that was looked at; {@code status} is null when it is missing. */
  static final class Node {
    final UnixPath path;
    final @Nullable Node parent;
    final @Nullable FileStatus status;

    /** Whether commands may write somewhere at or above it. */
    final boolean writable;

    /** Whether nothing can be there, or nothing that this process could look at. */
    final boolean unreachable;

    private byte @Nullable [] target;
    private boolean timed;
    private final Map<String, Node> children = new HashMap<>();

    private Node(
        UnixPath path,
        @Nullable Node parent,
        @Nullable FileStatus status,
        boolean writable,
        boolean unreachable) {
      this.path = path;
      this.parent = parent;
      this.status = status;
      this.writable = writable;
      this.unreachable = unreachable;
    }

    boolean isDirectory() {
      return status != null && status.isDirectory();
    }
  }

  /**
   * A walk that knows which directories commands may write.
   *
   * @param writableRoots real paths
   */
  PathWalk(DiskCalls disk, Set<UnixPath> writableRoots) {
    this.disk = disk;
    this.writableRoots = writableRoots;
    this.root =
        new Node(
            UnixPath.ROOT,
            null,
            disk.lstat(UnixPath.ROOT),
            writableRoots.contains(UnixPath.ROOT),
            false);
  }

  /** Follows all links, also one in the last place. */
  ResolvedPath resolve(UnixPath path) {
    return resolve(components(path.latin1()));
  }

  /** The same for Latin-1 names, among which {@code ..} is allowed. */
  ResolvedPath resolve(List<String> names) {
    Deque<String> pending = new ArrayDeque<>(names);
    List<UnixPath> links = new ArrayList<>(2);
    boolean replaceable = false;
    Node at = root;
    while (!pending.isEmpty()) {
      String name = pending.removeFirst();
      if (name.equals("..")) {
        at = at.parent == null ? at : at.parent;
        continue;
      }
      if (!at.isDirectory()) {
        return new ResolvedPath(
            below(at.path, name, pending), null, null, at.path, links, replaceable);
      }
      Node child = child(at, name);
      if (child.status == null) {
        UnixPath whole = below(at.path, name, pending);
        return child.unreachable
            ? new ResolvedPath(whole, null, null, at.path, links, replaceable)
            : new ResolvedPath(whole, null, child.path, null, links, replaceable);
      }
      if (!child.status.isSymlink()) {
        at = child;
        continue;
      }
      replaceable |= at.writable;
      links.add(child.path);
      String target = links.size() > MOST_LINKS ? "" : target(child);
      if (target.isEmpty()) {
        return new ResolvedPath(child.path, null, null, null, links, replaceable);
      }
      List<String> targetNames = components(target);
      for (int i = targetNames.size() - 1; i >= 0; i--) {
        pending.addFirst(targetNames.get(i));
      }
      if (target.startsWith("/")) {
        at = root;
      }
    }
    return new ResolvedPath(at.path, at.status, null, null, links, replaceable);
  }

  /** What a real path is, looked at once in a walk; null when the path is not real. */
  @Nullable Node node(UnixPath real) {
    Node at = root;
    for (String name : components(real.latin1())) {
      if (!at.isDirectory()) {
        return null;
      }
      at = child(at, name);
    }
    return at;
  }

  /** An entry of a directory, links not followed. */
  Node child(Node directory, String name) {
    Node known = directory.children.get(name);
    if (known != null) {
      return known;
    }
    UnixPath path = directory.path.resolve(name.getBytes(StandardCharsets.ISO_8859_1));
    FileStatus status = null;
    boolean unreachable = false;
    try {
      status = disk.lstat(path);
    } catch (PosixException e) {
      // Not searchable, or a name longer than the file system can hold.
      unreachable = true;
      if (e.errno() != Errno.EACCES && e.errno() != Errno.ENAMETOOLONG) {
        throw e;
      }
    }
    boolean writable = directory.writable || writableRoots.contains(path);
    Node child = new Node(path, directory, status, writable, unreachable);
    directory.children.put(name, child);
    return child;
  }

  /** All existing paths at or below the writable roots that were looked at. */
  Map<UnixPath, FileStatus> seenInWritable() {
    Map<UnixPath, FileStatus> seen = new HashMap<>();
    collect(root, seen);
    return seen;
  }

  private static void collect(Node node, Map<UnixPath, FileStatus> seen) {
    if (node.writable && node.status != null) {
      seen.put(node.path, node.status);
    }
    node.children.values().forEach(child -> collect(child, seen));
  }

  private String target(Node link) {
    try {
      byte[] target = disk.readlink(link.path);
      link.target = target;
      return new String(target, StandardCharsets.ISO_8859_1);
    } catch (PosixException e) {
      e.throwIfShortage();
      // Replaced or removed meanwhile: whatever is there now is not followed.
      repeatable = false;
      return "";
    }
  }

  /** The sockets in a directory; empty where this process may not list it. */
  List<UnixPath> sockets(UnixPath real) {
    Node directory = node(real);
    if (directory == null || directory.status == null || !directory.isDirectory()) {
      return List.of();
    }
    long age = System.currentTimeMillis() * 1_000_000L - directory.status.mtimeNanos();
    if (directory.writable || age < SETTLED_NANOS) {
      reliesOnMore();
    } else {
      reliesOnTimeOf(directory);
    }
    List<UnixPath> sockets = new ArrayList<>();
    disk.list(
        real,
        entry -> {
          if (entry.type() == Constants.DT_SOCK || entry.type() == Constants.DT_UNKNOWN) {
            Node child = child(directory, new String(entry.name(), StandardCharsets.ISO_8859_1));
            if (child.status != null && child.status.isSocket()) {
              sockets.add(child.path);
            }
          }
        });
    return sockets;
  }

  /** What was found hangs on a directory's whole content, which its time of change tells. */
  void reliesOnTimeOf(Node directory) {
    directory.timed = true;
  }

  /** What was found hangs on more than the paths that were looked at. */
  void reliesOnMore() {
    repeatable = false;
  }

  /** All that was looked at; empty when that does not determine what was found. */
  Optional<SeenFiles> evidence() {
    if (!repeatable) {
      return Optional.empty();
    }
    List<SeenFile> files = new ArrayList<>();
    addEvidence(root, files);
    return Optional.of(disk.remember(files));
  }

  private static void addEvidence(Node node, List<SeenFile> files) {
    files.add(new SeenFile(node.path, node.status, node.unreachable, node.target, node.timed));
    for (Node child : node.children.values()) {
      // What comes to be in a directory changes its time, so that need not be asked name by name.
      if (!node.timed || child.status != null || child.unreachable) {
        addEvidence(child, files);
      }
    }
  }

  private static UnixPath below(UnixPath directory, String name, Deque<String> rest) {
    UnixPath at = directory.resolve(name.getBytes(StandardCharsets.ISO_8859_1));
    for (String next : rest) {
      UnixPath parent = at.parent();
      at =
          !next.equals("..")
              ? at.resolve(next.getBytes(StandardCharsets.ISO_8859_1))
              : parent == null ? at : parent;
    }
    return at;
  }

  /** The names of a Latin-1 path, empty ones and {@code .} left out. */
  static List<String> components(String path) {
    List<String> names = new ArrayList<>();
    int start = 0;
    while (start < path.length()) {
      int slash = path.indexOf('/', start);
      int end = slash < 0 ? path.length() : slash;
      if (end > start && !(end == start + 1 && path.charAt(start) == '.')) {
        names.add(path.substring(start, end));
      }
      start = end + 1;
    }
    return names;
  }
}
