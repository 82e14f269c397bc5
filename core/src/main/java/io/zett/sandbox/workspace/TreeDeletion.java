package io.zett.sandbox.workspace;

import static io.zett.sandbox.posix.Constants.AT_REMOVEDIR;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.DirectoryEntry;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import org.jspecify.annotations.Nullable;

/**
 * Deletes a tree that somebody hostile has filled, and may still be changing.
 *
 * <p>Every name is taken from a directory's descriptor and used with that descriptor; no link is
 * followed and no mount is entered at any component, and the way back up is the stack of open
 * descriptors, never {@code ..}. So whatever is exchanged meanwhile, only what was found inside the
 * tree is touched. What its owner may not read or write is made so through its descriptor.
 *
 * <p>A file costs one {@code unlinkat}, nothing else. At most a few dozen directories are open:
 * what lies deeper is moved up to the top of the tree and deleted from there, so that depth costs
 * neither descriptors nor memory. One instance deletes one tree on one thread.
 */
public final class TreeDeletion {

  /** Deeper directories are moved up. */
  static final int USUAL_DEPTH = 32;

  /** How deep it goes where moving up is refused (a full disk, a directory of another user). */
  private static final int GREATEST_DEPTH = 256;

  /** How often one name may turn from a directory into something else and back. */
  private static final int MOST_EXCHANGES = 16;

  /** A bound against somebody who creates names as fast as they are removed. */
  private static final int MOST_PASSES = 10_000;

  private final Descent descent;
  private final Deletion.Log log = new Deletion.Log();
  private final OpenDirectory top;
  private final DeepDirectories deep;
  private OpenDirectory current;
  private int passesLeft = MOST_PASSES;

  private TreeDeletion(Posix posix, OpenDirectory top) {
    this.descent = new Descent(posix);
    this.top = top;
    this.deep = new DeepDirectories(posix, descent, top);
    this.current = top;
  }

  /**
   * Deletes a name of a directory with all that is below it; a name that is missing is no error.
   *
   * @param parent the directory's descriptor, which stays open
   * @param path where the name is, for the report
   */
  public static Deletion delete(Posix posix, int parent, byte[] name, UnixPath path) {
    Deletion.Log log = new Deletion.Log();
    int flags = 0;
    try {
      int fd = new Descent(posix).into(parent, name);
      flags = AT_REMOVEDIR;
      log.add(empty(posix, fd, path));
    } catch (PosixException e) {
      if (e.errno() == Errno.ENOENT) {
        return log.end();
      }
      if (!isNoDirectory(e.errno())) {
        log.kept(path, e.errno());
      }
    }
    if (log.isEmpty()) {
      int errno = OpenDirectory.unlink(posix, parent, name, flags);
      if (errno == 0) {
        log.removed();
      } else if (errno != Errno.ENOENT) {
        log.kept(path, errno);
      }
    }
    return log.end();
  }

  /**
   * Deletes all that is in a directory, not the directory itself.
   *
   * @param directory its descriptor, open for reading, which stays open
   * @param path where it is, for the report
   */
  public static Deletion deleteContents(Posix posix, int directory, UnixPath path) {
    byte[] self = {'.'};
    int flags = Constants.O_RDONLY | Constants.O_DIRECTORY;
    return empty(posix, posix.openat(directory, self, flags, 0), path);
  }

  private static Deletion empty(Posix posix, int fd, UnixPath path) {
    OpenDirectory top = OpenDirectory.top(posix, fd, path);
    return new TreeDeletion(posix, top).run();
  }

  private Deletion run() {
    try {
      while (step()) {}
      return log.end();
    } finally {
      for (OpenDirectory open = current; open != null; open = open.parent) {
        open.close();
      }
    }
  }

  /** One entry, or the end of one pass over a directory; false when the tree is done. */
  private boolean step() {
    DirectoryEntry entry = entry();
    if (entry != null) {
      remove(current, entry.name(), entry.type() == Constants.DT_DIR);
      return true;
    }
    if (current.parent != null) {
      leave(current, current.parent);
      return true;
    }
    byte[] lifted = deep.next();
    if (lifted != null) {
      remove(top, lifted, true);
      return true;
    }
    return again(top);
  }

  private @Nullable DirectoryEntry entry() {
    try {
      return current.next();
    } catch (PosixException e) {
      if (e.errno() != Errno.ENOENT) { // the directory itself is gone already
        keep(current, current.path(), e.errno());
      }
      return null;
    }
  }

  /** Removes what is no directory, enters what is one; the listing's word may be outdated. */
  private void remove(OpenDirectory in, byte[] name, boolean directory) {
    int errno = 0;
    boolean enter = directory;
    for (int exchanges = 0; exchanges < MOST_EXCHANGES; exchanges++) {
      errno = enter ? enter(in, name) : in.unlink(name, 0);
      if (enter ? !isNoDirectory(errno) : errno != Errno.EISDIR) {
        break;
      }
      enter = !enter;
    }
    if (errno != 0 || !enter) {
      settle(in, name, errno);
    }
  }

  /** Goes down, or removes at once; 0 if it need not be looked at again in this pass. */
  private int enter(OpenDirectory in, byte[] name) {
    if (in.depth >= USUAL_DEPTH && removedOrLifted(in, name)) {
      return 0;
    }
    if (in.depth >= GREATEST_DEPTH) {
      return Errno.EMFILE;
    }
    try {
      current = in.below(open(in, name), name);
      current.mark = log.mark();
      return 0;
    } catch (PosixException e) {
      return e.errno();
    }
  }

  /** An empty directory, the usual one in a wide tree, need not be moved. */
  private boolean removedOrLifted(OpenDirectory in, byte[] name) {
    if (in.unlink(name, AT_REMOVEDIR) == 0) {
      settle(in, name, 0);
      return true;
    }
    boolean lifted = deep.lift(in, name);
    in.progress |= lifted;
    return lifted;
  }

  private int open(OpenDirectory in, byte[] name) {
    try {
      return descent.into(in.fd(), name);
    } catch (PosixException e) {
      if (e.errno() == Errno.EACCES && in.makeWritable()) {
        return descent.into(in.fd(), name);
      }
      throw e;
    }
  }

  /** Removes an emptied directory, or looks at it once more. */
  private void leave(OpenDirectory child, OpenDirectory parent) {
    if (child.kept) {
      if (!again(child)) {
        pop(child, parent);
        parent.kept = true;
      }
      return;
    }
    int errno = parent.unlink(child.name, AT_REMOVEDIR);
    if (isNotEmpty(errno) && again(child)) {
      return;
    }
    pop(child, parent);
    if (errno == Errno.ENOTDIR) {
      remove(parent, child.name, false); // exchanged for something else
    } else {
      settle(parent, child.name, errno);
    }
  }

  private void pop(OpenDirectory child, OpenDirectory parent) {
    child.close();
    current = parent;
  }

  /** Begins another pass if the last one removed something and may have missed something. */
  private boolean again(OpenDirectory directory) {
    if (!directory.progress || passesLeft-- <= 0) {
      return false;
    }
    try {
      directory.rewind();
    } catch (PosixException e) {
      keep(directory, directory.path(), e.errno());
      return false;
    }
    log.forgetSince(directory.mark);
    return true;
  }

  private void settle(OpenDirectory in, byte[] name, int errno) {
    if (errno == 0) {
      in.progress = true;
      log.removed();
    } else if (errno != Errno.ENOENT) {
      keep(in, in.path().resolve(name), errno);
    }
  }

  private void keep(OpenDirectory in, UnixPath path, int errno) {
    in.kept = true;
    log.kept(path, errno);
  }

  private static boolean isNotEmpty(int errno) {
    return errno == Errno.ENOTEMPTY || errno == Errno.EEXIST;
  }

  private static boolean isNoDirectory(int errno) {
    return errno == Errno.ENOTDIR || errno == Errno.ELOOP;
  }
}
