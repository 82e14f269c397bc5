package io.zett.sandbox.limits;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.DirectoryEntry;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The control groups of one open sandbox: one directory in each tree, below which each command has
 * its own.
 *
 * <p>A lock on the directory itself (flock(2)) says that its owner lives; the lock of a dead
 * process is gone with it. So whoever opens a sandbox next can tell what to sweep, and no pid is
 * trusted: another container may share the tree. Thread-safe.
 */
final class SessionGroups implements AutoCloseable {
  static final String PREFIX = "zett-";

  /** What a session's or a probe's group is called, and nothing else of anybody's is. */
  private static final Pattern NAME = Pattern.compile("zett-([0-9a-f]{12}|probe-[0-9a-f-]{36})");

  private static final int ATTEMPTS = 16;

  private final Posix posix;
  private final GroupSites sites;
  private final Map<UnixPath, Held> held;
  private final @Nullable Scope scope;
  private final AtomicLong counter = new AtomicLong();
  private final List<UnixPath> leftOver = new ArrayList<>();

  private record Held(UnixPath directory, int lock) {}

  private SessionGroups(
      Posix posix, GroupSites sites, Map<UnixPath, Held> held, @Nullable Scope scope) {
    this.posix = posix;
    this.sites = sites;
    this.held = held;
    this.scope = scope;
  }

  /**
   * Makes them for these controllers, after sweeping those of dead owners.
   *
   * @param scope where they are, if they are in one; closed with them
   */
  static SessionGroups open(
      Posix posix, GroupSites sites, Set<Controller> controllers, @Nullable Scope scope) {
    Map<UnixPath, Held> held = new LinkedHashMap<>();
    SessionGroups groups = new SessionGroups(posix, sites, held, scope);
    try {
      sweep(posix, sites);
      for (Controller controller : controllers) {
        UnixPath place = sites.places().get(controller);
        if (place != null && !held.containsKey(place)) {
          held.put(place, groups.make(place));
        }
      }
      groups.offerControllers(controllers);
      return groups;
    } catch (PosixException e) {
      groups.removeAll();
      throw e;
    }
  }

  /** Who can move a process into a group, if it cannot go there by itself; null if it can. */
  @Nullable Scope mover(UnixPath group) {
    boolean needed = scope != null && !scope.isJoinable() && group.startsWith(scope.directory());
    return needed ? scope : null;
  }

  private Held make(UnixPath place) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      byte[] random = posix.random(6);
      UnixPath directory = place.resolve(PREFIX + HexFormat.of().formatHex(random));
      posix.mkdirat(Constants.AT_FDCWD, directory.bytes(), 0755);
      int lock;
      try {
        lock = posix.open(directory, Constants.O_RDONLY | Constants.O_DIRECTORY, 0);
      } catch (PosixException e) {
        if (e.errno() == Errno.ENOENT) {
          continue; // A sweeper took it for a dead one's between the two calls.
        }
        removed(posix, directory);
        throw e;
      }
      boolean held = false;
      try {
        held =
            posix.flock(lock, Constants.LOCK_EX | Constants.LOCK_NB)
                && posix.lstat(directory) != null;
      } finally {
        if (!held) {
          posix.close(lock);
          // Another user's sweeper can hold it for a moment, but not remove it.
          removed(posix, directory);
        }
      }
      if (held) {
        return new Held(directory, lock);
      }
    }
    throw new PosixException(Errno.EBUSY, "mkdir", place.toString());
  }

  /** Below our own group of version 2 the controllers must be asked for. */
  private void offerControllers(Set<Controller> controllers) {
    UnixPath place = sites.unified().orElse(null);
    Held own = place == null ? null : held.get(place);
    if (own == null) {
      return;
    }
    String wanted = Controller.offering(controllers.stream().filter(sites::isUnified).toList());
    if (!wanted.isEmpty()) {
      ControlFile.write(posix, own.directory().resolve("cgroup.subtree_control"), wanted);
    }
  }

  /** New groups for one command, one for each tree that the controllers live in. */
  Map<Controller, UnixPath> makeCommandGroups(Set<Controller> controllers) {
    String name = Long.toString(counter.incrementAndGet());
    Map<Controller, UnixPath> made = new EnumMap<>(Controller.class);
    try {
      for (Controller controller : controllers) {
        Held own = held.get(sites.places().get(controller));
        if (own == null) {
          continue;
        }
        UnixPath group = own.directory().resolve(name);
        if (!made.containsValue(group)) {
          posix.mkdirat(Constants.AT_FDCWD, group.bytes(), 0755);
        }
        made.put(controller, group);
      }
      return made;
    } catch (PosixException e) {
      remove(made.values());
      throw e;
    }
  }

  /**
   * Removes a command's groups; what is still busy is tried again later, at the latest at the end.
   */
  void remove(Iterable<UnixPath> groups) {
    Set<UnixPath> each = new HashSet<>();
    groups.forEach(each::add);
    synchronized (leftOver) {
      leftOver.removeIf(group -> !each.contains(group) && removed(posix, group));
      for (UnixPath group : each) {
        if (!removed(posix, group)) {
          leftOver.add(group);
        }
      }
    }
  }

  @Override
  public void close() {
    removeAll();
    if (scope != null) {
      scope.close();
    }
  }

  private void removeAll() {
    for (Held own : held.values()) {
      removeTree(posix, own.directory());
      posix.close(own.lock());
    }
    held.clear();
  }

  private static boolean removed(Posix posix, UnixPath group) {
    try {
      posix.unlinkat(Constants.AT_FDCWD, group.bytes(), Constants.AT_REMOVEDIR);
      return true;
    } catch (PosixException e) {
      return e.errno() == Errno.ENOENT;
    }
  }

  /**
   * Removes the groups of this user's sandboxes whose owner is dead, ending what may still live in
   * them: wherever there can be some, whatever limits the owner had set.
   */
  static void sweep(Posix posix, GroupSites sites) {
    Set.copyOf(sites.places().values()).forEach(place -> sweep(posix, place));
  }

  private static void sweep(Posix posix, UnixPath place) {
    int directory;
    try {
      directory = posix.open(place, Constants.O_RDONLY | Constants.O_DIRECTORY, 0);
    } catch (PosixException e) {
      return; // Gone meanwhile; who wants a group there will be told.
    }
    try {
      for (DirectoryEntry entry : posix.entries(directory)) {
        String name = new String(entry.name(), StandardCharsets.ISO_8859_1);
        if (NAME.matcher(name).matches()) {
          sweepOne(posix, place.resolve(entry.name()));
        }
      }
    } finally {
      posix.close(directory);
    }
  }

  private static void sweepOne(Posix posix, UnixPath group) {
    int lock;
    try {
      lock = posix.open(group, Constants.O_RDONLY | Constants.O_DIRECTORY, 0);
    } catch (PosixException e) {
      return; // Gone meanwhile, or another user's.
    }
    try {
      if (posix.fstat(lock).uid() == posix.geteuid()
          && posix.flock(lock, Constants.LOCK_EX | Constants.LOCK_NB)) {
        removeTree(posix, group);
      }
    } finally {
      posix.close(lock);
    }
  }

  /** Our groups are two levels deep; a command in its sandbox cannot make deeper ones. */
  private static void removeTree(Posix posix, UnixPath group) {
    List<UnixPath> inner = new ArrayList<>();
    try {
      int directory = posix.open(group, Constants.O_RDONLY | Constants.O_DIRECTORY, 0);
      try {
        for (DirectoryEntry entry : posix.entries(directory)) {
          if (entry.type() == Constants.DT_DIR) {
            inner.add(group.resolve(entry.name()));
          }
        }
      } finally {
        posix.close(directory);
      }
    } catch (PosixException e) {
      return;
    }
    inner.add(group);
    for (UnixPath each : inner) {
      Remains.endAndRemove(posix, each);
    }
  }
}
