package io.zett.sandbox.host;

import io.zett.sandbox.posix.FileStatus;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where files of a file system are in a mount namespace. Paths are Latin-1 text. One state of a
 * table; immutable and thread-safe.
 */
final class MountMap {

  static final MountMap NONE = new MountMap(List.of());

  private final List<MountTable.Mount> mounts;

  /**
   * A file by the file system that it is on.
   *
   * @param device the file system's
   * @param path in it
   */
  record Inner(long device, String path) {}

  MountMap(List<MountTable.Mount> mounts) {
    this.mounts = List.copyOf(mounts);
  }

  List<MountTable.Mount> mounts() {
    return mounts;
  }

  boolean isSameAs(MountMap other) {
    return mounts.equals(other.mounts);
  }

  /** The file system's device, which is not always the file's. */
  long device(FileStatus status) {
    for (MountTable.Mount mount : mounts) {
      if (mount.id() == status.mountId()) {
        return mount.device();
      }
    }
    return status.dev();
  }

  /** What an absolute path without links means here; null when nothing is mounted. */
  @Nullable Inner inner(String path) {
    MountTable.Mount over = null;
    for (MountTable.Mount mount : mounts) { // Of two at one point the later one is on top.
      if (isAtOrBelow(path, mount.point())
          && (over == null || mount.point().length() >= over.point().length())) {
        over = mount;
      }
    }
    return over == null ? null : inner(over, path);
  }

  /** What a path means in the mount that has this id; null when it is not in it. */
  @Nullable Inner inner(long mountId, String path) {
    for (MountTable.Mount mount : mounts) {
      if (mount.id() == mountId && isAtOrBelow(path, mount.point())) {
        return inner(mount, path);
      }
    }
    return null;
  }

  /** All paths that a file may have here: one for each mount of that part of its file system. */
  Set<String> paths(Inner file) {
    Set<String> paths = new LinkedHashSet<>();
    for (MountTable.Mount mount : mounts) {
      if (mount.device() == file.device && isAtOrBelow(file.path, mount.root())) {
        paths.add(join(mount.point(), rest(file.path, mount.root())));
      }
    }
    return paths;
  }

  /** The same for a file of another mount namespace, by its path there. */
  Set<String> translate(MountMap other, String path) {
    Inner inner = other.inner(path);
    return inner == null ? Set.of() : paths(inner);
  }

  /** Where a file system is mounted. */
  List<String> points(Predicate<Long> device) {
    List<String> points = new ArrayList<>();
    for (MountTable.Mount mount : mounts) {
      if (device.test(mount.device())) {
        points.add(mount.point());
      }
    }
    return points;
  }

  private static Inner inner(MountTable.Mount mount, String path) {
    return new Inner(mount.device(), join(mount.root(), rest(path, mount.point())));
  }

  private static boolean isAtOrBelow(String path, String directory) {
    return directory.equals("/")
        || (path.startsWith(directory)
            && (path.length() == directory.length() || path.charAt(directory.length()) == '/'));
  }

  private static String rest(String path, String directory) {
    return directory.equals("/") ? path : path.substring(directory.length());
  }

  private static String join(String directory, String rest) {
    return directory.equals("/") && !rest.isEmpty() ? rest : directory + rest;
  }
}
