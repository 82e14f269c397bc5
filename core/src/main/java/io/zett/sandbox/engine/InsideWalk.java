package io.zett.sandbox.engine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.zett.sandbox.PathExplanation.Presence;
import io.zett.sandbox.backend.Sight;
import io.zett.sandbox.backend.Sight.Cause;
import io.zett.sandbox.backend.Sight.Surface;
import io.zett.sandbox.posix.DiskCalls;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Follows paths as a command inside would: a link of the host counts only where the host's files
 * are seen. Not thread-safe.
 */
final class InsideWalk {
  /** As many links as the kernel follows in one path (MAXSYMLINKS). */
  private static final int MOST_LINKS = 40;

  private final DiskCalls disk;
  private final Sight sight;

  InsideWalk(DiskCalls disk, Sight sight) {
    this.disk = disk;
    this.sight = sight;
  }

  /**
   * Where a path leads.
   *
   * @param real the path without links
   * @param met what is met there
   */
  record Place(UnixPath real, Sight.Met met, Presence presence) {}

  /** What stands at a path of the host. */
  private record Found(@Nullable FileStatus status, Presence presence) {}

  Place follow(Path path) {
    Deque<String> pending = new ArrayDeque<>(names(path));
    UnixPath at = UnixPath.ROOT;
    int links = 0;
    while (!pending.isEmpty()) {
      String name = pending.removeFirst();
      if (name.equals("..")) {
        UnixPath parent = at.parent();
        at = parent == null ? at : parent;
        continue;
      }
      UnixPath next = at.resolve(name.getBytes(ISO_8859_1));
      if (!showsHost(next)) {
        at = next;
        continue;
      }
      Found found = look(next);
      FileStatus status = found.status;
      if (status == null) {
        return absent(next, pending, found.presence);
      }
      boolean ends = !status.isSymlink() && (status.isDirectory() || pending.isEmpty());
      if (ends || isStoodInFor(next)) {
        at = next;
        continue;
      }
      if (!status.isSymlink()) {
        return absent(next, pending, Presence.BLOCKED);
      }
      byte[] target = ++links > MOST_LINKS ? new byte[0] : target(next);
      if (target.length == 0) {
        return absent(next, pending, Presence.BLOCKED);
      }
      List<String> names = components(new String(target, ISO_8859_1));
      for (int i = names.size() - 1; i >= 0; i--) {
        pending.addFirst(names.get(i));
      }
      at = target[0] == '/' ? UnixPath.ROOT : at;
    }
    return new Place(at, sight.at(at), presence(at));
  }

  private boolean showsHost(UnixPath path) {
    Surface surface = sight.at(path).surface();
    return surface == Surface.READ || surface == Surface.WRITE;
  }

  /** A link in an emptied directory for which what it leads to is mounted. */
  private boolean isStoodInFor(UnixPath path) {
    return sight.at(path).cause() == Cause.SYSTEM && sight.isOnTheWay(path);
  }

  private Place absent(UnixPath at, Deque<String> pending, Presence presence) {
    UnixPath whole = at;
    for (String name : pending) {
      UnixPath parent = whole.parent();
      whole =
          !name.equals("..")
              ? whole.resolve(name.getBytes(ISO_8859_1))
              : parent == null ? whole : parent;
    }
    return new Place(whole, sight.atMissing(whole), presence);
  }

  private Presence presence(UnixPath at) {
    return switch (sight.at(at).surface()) {
      case READ, WRITE -> Presence.PRESENT;
      case HIDDEN -> look(at).presence;
      case PRIVATE, EMPTY -> sight.isOnTheWay(at) ? Presence.PRESENT : Presence.MISSING;
      case OWN -> sight.isOnTheWay(at) ? Presence.PRESENT : Presence.UNKNOWN;
    };
  }

  private Found look(UnixPath path) {
    try {
      FileStatus status = disk.lstat(path);
      return new Found(status, status == null ? Presence.MISSING : Presence.PRESENT);
    } catch (PosixException e) {
      if (e.errno() == Errno.EACCES) {
        return new Found(null, Presence.UNKNOWN);
      }
      if (e.errno() == Errno.ENAMETOOLONG) {
        return new Found(null, Presence.BLOCKED);
      }
      throw e;
    }
  }

  private byte[] target(UnixPath link) {
    try {
      return disk.readlink(link);
    } catch (PosixException e) {
      e.throwIfShortage();
      return new byte[0]; // Replaced meanwhile.
    }
  }

  /** A path's names as Latin-1 text of their bytes, {@code ..} kept. */
  private static List<String> names(Path path) {
    List<String> names = new ArrayList<>(path.getNameCount());
    for (Path name : path) {
      String text = name.toString();
      if (text.equals("..")) {
        names.add(text);
      } else if (!text.isEmpty()) {
        names.add(new String(UnixPath.of(path.getRoot().resolve(name)).name(), ISO_8859_1));
      }
    }
    return names;
  }

  /** The names of a Latin-1 path, empty ones and {@code .} left out. */
  private static List<String> components(String path) {
    List<String> names = new ArrayList<>();
    for (String name : path.split("/", -1)) {
      if (!name.isEmpty() && !name.equals(".")) {
        names.add(name);
      }
    }
    return names;
  }
}
