package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.backend.HostWatch;
import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.workspace.Folders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Notices when what is denied is removed or replaced while a command runs, and ends the command: a
 * mount goes away with the file that it is on, in every namespace (rename(2) and unlink(2) detach
 * it), and what then stands at the path is open to the command.
 *
 * <p>Begun before the sandbox is verified: what is replaced earlier is found by the verification,
 * what is replaced later is noticed. Between the change and the end there are some milliseconds.
 * Ancestors count too, since a mount moves with them. Thread-safe.
 */
final class DeniedFileWatch {
  private static final int GONE =
      Constants.IN_MOVE_SELF | Constants.IN_DELETE_SELF | Constants.IN_UNMOUNT;

  /** The number of names of a file is one of its attributes: so its removal is told at once. */
  private static final int FILE = GONE | Constants.IN_ATTRIB;

  /** A removed directory that is mounted somewhere lives on silently: its parent tells. */
  private static final int NAMES =
      Constants.IN_CREATE | Constants.IN_DELETE | Constants.IN_MOVED_FROM | Constants.IN_MOVED_TO;

  private record Registration(int number, FileNotices.Listener listener) {}

  private final Posix posix;
  private final Supplier<FileNotices> source;
  private final HostWatch watched;
  private final Runnable end;
  private final List<Registration> registrations = new ArrayList<>();

  /** The directories in which nothing may come to be, by the path that must stay absent. */
  private final Map<UnixPath, FileStatus> parents = new HashMap<>();

  private @Nullable FileNotices notices;
  private boolean stopped;
  private volatile @Nullable UnixPath violated;
  private volatile @Nullable SandboxSetupException failure;

  /**
   * A watch that has not begun.
   *
   * @param source asked only when there is something to watch
   * @param end ends the command
   */
  DeniedFileWatch(Posix posix, Supplier<FileNotices> source, HostWatch watched, Runnable end) {
    this.posix = posix;
    this.source = source;
    this.watched = watched;
    this.end = end;
  }

  /**
   * Begins.
   *
   * @throws SandboxSetupException if something to be watched is gone already, what may not come to
   *     be is there, or the user's inotify watches are used up
   */
  synchronized void begin() {
    if (watched.isEmpty() || stopped) {
      return;
    }
    UnixPath at = UnixPath.ROOT;
    try {
      notices = source.get();
      for (UnixPath path : watched.absent()) {
        at = path;
        parents.put(path, parentOf(path));
      }
      Set<UnixPath> ancestors = new HashSet<>();
      for (UnixPath path : watched.denied()) {
        at = path;
        addDenied(path);
        addAncestors(path, ancestors);
      }
      for (Map.Entry<UnixPath, FileStatus> link : watched.links().entrySet()) {
        at = link.getKey();
        addName(at);
        addAncestors(at, ancestors);
        // No mount tells of a link that was replaced before now: what it led to is denied, and no
        // more.
        FileStatus now = posix.lstat(at);
        if (now == null || !now.isSameFile(link.getValue())) {
          throw new PosixException(Errno.ENOENT, "lstat", at.toString());
        }
      }
      for (UnixPath path : watched.absent()) {
        at = path;
        addName(path);
        addAncestors(path, ancestors);
        // Made by another command after it was looked for: no notice tells of that any more.
        if (posix.lstat(path) != null) {
          throw new PosixException(Errno.EEXIST, "lstat", path.toString());
        }
      }
      for (UnixPath path : ancestors) {
        at = path;
        addIfReadable(path, GONE | Constants.IN_ONLYDIR, (mask, _) -> selfGone(path, mask));
      }
    } catch (PosixException e) {
      throw new SandboxSetupException("watching denied paths", at.toPath(), explained(e), e);
    }
  }

  private static String explained(PosixException e) {
    String text = String.valueOf(e.getMessage());
    return switch (e.errno()) {
      case Errno.ENFILE, Errno.ENOMEM -> Shortage.explained(e);
      case Errno.EMFILE -> text + "; raise fs.inotify.max_user_instances";
      case Errno.ENOSPC -> text + "; raise fs.inotify.max_user_watches";
      case Errno.EEXIST -> "came to be while the sandbox was built, and is taken away";
      case Errno.ENOENT -> "was removed or replaced while the sandbox was built";
      default -> text;
    };
  }

  private void addDenied(UnixPath path) {
    FileStatus status = posix.lstat(path);
    if (status == null) {
      throw new PosixException(Errno.ENOENT, "lstat", path.toString());
    }
    if (status.isDirectory()
        || !addIfReadable(path, FILE, (mask, _) -> fileChanged(path, mask, status))) {
      addName(path);
    }
  }

  private void addName(UnixPath path) {
    UnixPath parent = path.parent();
    FileStatus before = posix.lstat(path);
    if (parent != null) {
      String name = new String(path.name(), StandardCharsets.ISO_8859_1);
      addIfReadable(
          parent, NAMES, (mask, entry) -> entryChanged(path, mask, entry.equals(name), before));
    }
  }

  private static void addAncestors(UnixPath path, Set<UnixPath> ancestors) {
    for (UnixPath at = path.parent(); at != null && !at.isRoot(); at = at.parent()) {
      if (!ancestors.add(at)) {
        return;
      }
    }
  }

  /** False for what this user may pass and not read: inotify tells nothing of that. */
  private boolean addIfReadable(UnixPath path, int mask, FileNotices.Listener listener) {
    try {
      FileNotices from = Objects.requireNonNull(notices);
      registrations.add(new Registration(from.add(path, mask, listener), listener));
      return true;
    } catch (PosixException e) {
      if (e.errno() == Errno.EACCES) {
        return false;
      }
      throw e;
    }
  }

  // ---- on the event loop

  private void fileChanged(UnixPath path, int mask, FileStatus before) {
    if ((mask & GONE) != 0) {
      violate(path);
    } else if ((mask & (Constants.IN_ATTRIB | Constants.IN_Q_OVERFLOW)) != 0) {
      // Its mode, its owner and its other names may change.
      violateUnlessStill(before, path);
    }
  }

  private void entryChanged(UnixPath path, int mask, boolean named, @Nullable FileStatus before) {
    if ((mask & Constants.IN_Q_OVERFLOW) != 0) {
      violateUnlessStill(before, path);
    } else if (named && (mask & NAMES) != 0) {
      violate(path);
    }
  }

  private void selfGone(UnixPath path, int mask) {
    if ((mask & GONE) != 0) {
      violate(path);
    }
  }

  private void violateUnlessStill(@Nullable FileStatus before, UnixPath path) {
    FileStatus now;
    try {
      now = posix.lstat(path);
    } catch (PosixException e) {
      refused(path, e);
      return;
    }
    if (before == null ? now != null : now == null || !now.isSameFile(before)) {
      violate(path);
    }
  }

  /** What cannot be looked at may have been replaced: the command ends, and the reason is told. */
  private void refused(UnixPath path, PosixException e) {
    synchronized (this) {
      if (stopped || violated != null || failure != null) {
        return;
      }
      String problem = Shortage.explained(e) + "; the command was ended";
      failure = new SandboxSetupException("watching denied paths", path.toPath(), problem, e);
    }
    end.run();
  }

  private void violate(UnixPath path) {
    synchronized (this) {
      if (stopped || violated != null) {
        return;
      }
      violated = path;
    }
    end.run();
  }

  // ---- at the end

  /** Ends it; twice is harmless. What may not have come to be, and did, is removed. */
  void stop() {
    synchronized (this) {
      if (stopped) {
        return;
      }
      stopped = true;
      FileNotices from = notices;
      if (from != null) {
        registrations.forEach(each -> from.remove(each.number(), each.listener()));
      }
    }
    parents.forEach(this::remove);
  }

  private FileStatus parentOf(UnixPath path) {
    int directory = Folders.open(posix, Objects.requireNonNull(path.parent()));
    try {
      return posix.fstat(directory);
    } finally {
      posix.close(directory);
    }
  }

  /**
   * Nothing of the host's is ever called so in such a place. A command may have put a link, or
   * another directory, where the place was: there nothing is touched.
   */
  private void remove(UnixPath path, FileStatus parent) {
    try {
      int directory = Folders.open(posix, Objects.requireNonNull(path.parent()));
      try {
        if (posix.fstat(directory).isSameFile(parent)
            && posix.statat(directory, path.name(), Constants.AT_SYMLINK_NOFOLLOW) != null) {
          posix.unlinkat(directory, path.name(), 0);
        }
      } finally {
        posix.close(directory);
      }
    } catch (PosixException e) {
      // A link on the way; or the file is a directory: git refuses it, and takes nothing from it.
    }
  }

  /**
   * What was removed or replaced until now, whether the event loop has been told yet or not: a
   * command may be quicker than that. Null when nothing was.
   */
  @Nullable UnixPath violated() {
    FileNotices from;
    synchronized (this) {
      from = stopped ? null : notices;
    }
    if (from != null) {
      from.drain();
    }
    return violated;
  }

  /** Whether a path is one at which nothing may come to be. */
  boolean mustBeAbsent(UnixPath path) {
    return watched.absent().contains(path);
  }

  /** Why it could not be told whether something was replaced; null when it could. */
  @Nullable SandboxSetupException failure() {
    return failure;
  }
}
