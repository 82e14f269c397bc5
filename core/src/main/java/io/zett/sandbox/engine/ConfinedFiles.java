package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxClosedException;
import io.zett.sandbox.SandboxFileException;
import io.zett.sandbox.SandboxFileException.Reason;
import io.zett.sandbox.SandboxFiles.Entry;
import io.zett.sandbox.SandboxFiles.Kind;
import io.zett.sandbox.SandboxFiles.Listing;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.host.HostView;
import io.zett.sandbox.posix.DirectoryEntry;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.rules.Access;
import io.zett.sandbox.workspace.ConfinedPlace;
import io.zett.sandbox.workspace.ConfinedTree;
import io.zett.sandbox.workspace.ObstacleException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** By descriptors, component by component: nothing that commands exchange leads out of it. */
final class ConfinedFiles implements WorkspaceFiles {
  private static final int READABLE_AND_OWNERS = 0644;
  private static final int EXECUTABLE = 0755;
  private static final int PERMISSIONS = 0777; // set-id bits are never handed on
  private static final int OWNER_READS_AND_WRITES = 0600;
  private static final int CHUNK = 65_536;

  private final Opened opened;
  private final Posix posix;
  private final ConfinedTree tree;
  private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();
  private volatile boolean closing;
  private volatile @Nullable Ruled ruled;

  /** Rules and what they were made from. */
  private record Ruled(HostView view, FileRules rules) {}

  private interface Action<T> {
    T apply(FileRules rules) throws IOException;
  }

  ConfinedFiles(Opened opened) {
    this.opened = opened;
    this.posix = opened.posix();
    this.tree = new ConfinedTree(posix, opened.workspace());
  }

  /** A path of this workspace. */
  InnerPath at(Object path) {
    return path instanceof Path given
        ? InnerPath.of(opened.workspace(), given)
        : InnerPath.of(opened.workspace(), (String) path);
  }

  @Override
  public byte[] read(Object given, int most) throws IOException {
    InnerPath path = at(given);
    return with(
        path,
        rules -> {
          int fd = openForReading(path, rules, most);
          try {
            byte[] bytes = posix.readFully(fd, most + 1, path.shown());
            if (bytes.length > most) {
              throw tooLarge(path, "grew beyond", most);
            }
            return bytes;
          } finally {
            posix.close(fd);
          }
        });
  }

  private int openForReading(InnerPath path, FileRules rules, long most)
      throws SandboxFileException {
    rules.requireRead(path);
    if (path.isTop()) {
      throw directory(path);
    }
    try (ConfinedPlace place = tree.place(path.names(), false, rules.guard(path, false))) {
      int fd = place.open();
      long size = posix.fstat(fd).size();
      if (size > most) {
        posix.close(fd);
        throw tooLarge(path, "has " + size + " bytes, more than", most);
      }
      return fd;
    }
  }

  private static SandboxFileException tooLarge(InnerPath path, String how, long most) {
    return new SandboxFileException(
        path.shown(),
        Reason.TOO_LARGE,
        how + " the bound of " + most + " bytes; give a larger bound, or let a command cut it",
        null);
  }

  private static SandboxFileException directory(InnerPath path) {
    return new SandboxFileException(
        path.shown(), Reason.WRONG_KIND, "is the workspace itself; name a file in it", null);
  }

  @Override
  public void write(Object given, byte[] content) throws IOException {
    InnerPath path = at(given);
    with(
        path,
        rules -> {
          replace(path, rules, READABLE_AND_OWNERS, true, fd -> posix.writeFully(fd, content));
          return true;
        });
  }

  private void replace(
      InnerPath path, FileRules rules, int mode, boolean keepMode, ConfinedPlace.Filler filler)
      throws IOException {
    if (path.isTop()) {
      throw directory(path);
    }
    rules.requireWrite(path);
    try (ConfinedPlace place = tree.place(path.names(), true, rules.guard(path, true))) {
      place.replace(keepMode ? modeLike(place.status(), mode) : mode, filler);
    }
  }

  private static int modeLike(@Nullable FileStatus before, int otherwise) {
    return before == null || !before.isRegular()
        ? otherwise
        : (before.mode() & PERMISSIONS) | OWNER_READS_AND_WRITES;
  }

  @Override
  public Listing list(Object given, int most) throws IOException {
    InnerPath path = at(given);
    return with(
        path,
        rules -> {
          rules.requireRead(path);
          Collector entries = new Collector(path, rules, most);
          tree.list(path.names(), rules.guard(path, false), entries);
          return entries.listing();
        });
  }

  /** Takes entries until there are enough. */
  private static final class Collector implements ConfinedTree.Visitor {
    private final InnerPath path;
    private final FileRules rules;
    private final int most;
    private final List<Entry> entries = new ArrayList<>();
    private boolean more;

    Collector(InnerPath path, FileRules rules, int most) {
      this.path = path;
      this.rules = rules;
      this.most = most;
    }

    @Override
    public boolean visit(DirectoryEntry entry, @Nullable FileStatus status) {
      if (status == null) {
        return true; // Gone since.
      }
      more = entries.size() == most;
      if (!more) {
        UnixPath at = path.full().resolve(entry.name());
        boolean hidden = rules.access(at) == Access.HIDDEN;
        Kind kind = kind(status);
        long size = kind == Kind.FILE && !hidden ? status.size() : 0;
        entries.add(new Entry(entry.toString(), kind, size, hidden, at.toPath()));
      }
      return !more;
    }

    private static Kind kind(FileStatus status) {
      if (status.isSymlink()) {
        return Kind.LINK;
      }
      return status.isDirectory() ? Kind.DIRECTORY : status.isRegular() ? Kind.FILE : Kind.OTHER;
    }

    Listing listing() {
      entries.sort(Comparator.comparing(Entry::name));
      return new Listing(entries, more);
    }
  }

  @Override
  public boolean exists(Object given) throws IOException {
    InnerPath path = at(given);
    try {
      return with(
          path,
          rules -> {
            rules.requireRead(path);
            if (path.isTop()) {
              return true;
            }
            try (ConfinedPlace place = tree.place(path.names(), false, rules.guard(path, false))) {
              return place.status() != null;
            }
          });
    } catch (SandboxFileException e) {
      if (e.reason() == Reason.NOT_FOUND || e.reason() == Reason.WRONG_KIND) {
        return false;
      }
      throw e;
    }
  }

  @Override
  public void delete(Object given) throws IOException {
    InnerPath path = at(given);
    with(
        path,
        rules -> {
          if (path.isTop()) {
            throw directory(path);
          }
          rules.requireWrite(path);
          try (ConfinedPlace place = tree.place(path.names(), false, rules.guard(path, true))) {
            place.remove();
          }
          return true;
        });
  }

  @Override
  public void copyIn(Path host, Object given) throws IOException {
    InnerPath path = at(given);
    with(
        path,
        rules -> {
          HostFile file = HostFile.source(host, outside(rules));
          try (InputStream source = file.open()) {
            int mode = file.isExecutable() ? EXECUTABLE : READABLE_AND_OWNERS;
            replace(path, rules, mode, false, fd -> fill(fd, source));
          }
          return true;
        });
  }

  private void fill(int fd, InputStream source) throws IOException {
    byte[] chunk = new byte[CHUNK];
    int count;
    while ((count = source.read(chunk)) >= 0) {
      checkOpen();
      posix.writeFully(fd, ByteBuffer.wrap(chunk, 0, count));
    }
  }

  @Override
  public void copyOut(Object given, Path host, long most) throws IOException {
    InnerPath path = at(given);
    with(
        path,
        rules -> {
          HostFile file = HostFile.target(host, outside(rules));
          int fd = openForReading(path, rules, most);
          try {
            file.replace(target -> drain(path, fd, target, most));
          } finally {
            posix.close(fd);
          }
          return true;
        });
  }

  private void drain(InnerPath path, int fd, OutputStream target, long most) throws IOException {
    byte[] chunk = new byte[CHUNK];
    long total = 0;
    while (true) {
      checkOpen();
      long count = posix.read(fd, ByteBuffer.wrap(chunk));
      if (count < 0) {
        throw new PosixException((int) -count, "read", path.shown());
      }
      if (count == 0) {
        return;
      }
      total += count;
      if (total > most) {
        throw tooLarge(path, "grew beyond", most);
      }
      target.write(chunk, 0, (int) count);
    }
  }

  /** Where commands do not write. */
  private static Predicate<Path> outside(FileRules rules) {
    return real -> rules.access(UnixPath.of(real)) != Access.WRITE;
  }

  private <T> T with(InnerPath path, Action<T> action) throws IOException {
    use.readLock().lock();
    try {
      checkOpen();
      return action.apply(rules());
    } catch (ObstacleException e) {
      throw FileErrors.of(path, e);
    } catch (FileRules.DeniedFile e) {
      throw e.refusal();
    } catch (PosixException e) {
      throw FileErrors.of(path, e);
    } catch (SandboxSetupException e) {
      // Of the rules, when the workspace itself was moved or replaced.
      throw new SandboxFileException(
          path.shown(), Reason.FAILED, String.valueOf(e.getMessage()), e);
    } finally {
      use.readLock().unlock();
    }
  }

  @SuppressWarnings("ReferenceEquality") // A survey that finds nothing new gives the same view.
  private FileRules rules() {
    HostView view = opened.survey().look();
    Ruled known = ruled;
    if (known != null && known.view() == view) {
      return known.rules();
    }
    FileRules made = new FileRules(view, opened.plans().rules(view));
    ruled = new Ruled(view, made);
    return made;
  }

  private void checkOpen() {
    if (closing) {
      throw new SandboxClosedException("the sandbox is closed");
    }
  }

  /** Refuses what comes, and waits for what is being done. */
  void close() {
    closing = true;
    use.writeLock().lock();
    use.writeLock().unlock();
  }
}
