package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxClosedException;
import io.zett.sandbox.SandboxFileException;
import io.zett.sandbox.SandboxFileException.Reason;
import io.zett.sandbox.SandboxFiles.Entry;
import io.zett.sandbox.SandboxFiles.Kind;
import io.zett.sandbox.SandboxFiles.Listing;
import io.zett.sandbox.SandboxPolicy;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * The files of a workspace by path. Links are refused at every component, but looked for before the
 * file is used: a command that runs meanwhile can exchange one. On the systems that this is for,
 * the JDK has nothing better for all of them.
 */
final class PlainFiles implements WorkspaceFiles {
  private static final int CHUNK = 65_536;
  private static final int LONGEST_PATH = 32_768;

  private final Path workspace;
  private final PlainRules rules;
  private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();
  private volatile boolean closing;

  private interface Action<T> {
    T apply(Path path) throws IOException;
  }

  PlainFiles(SandboxPolicy policy, Path workspace) {
    this.workspace = workspace;
    this.rules = new PlainRules(policy, workspace);
  }

  @Override
  public byte[] read(Object given, int most) throws IOException {
    return with(
        given,
        false,
        path -> {
          try (InputStream stream = open(path, shown(given), most)) {
            byte[] bytes = stream.readNBytes(most == Integer.MAX_VALUE ? most : most + 1);
            if (bytes.length > most) {
              throw tooLarge(shown(given), most);
            }
            return bytes;
          }
        });
  }

  private InputStream open(Path path, String shown, long most) throws IOException {
    BasicFileAttributes what = requireThere(path, shown);
    if (what.isDirectory()) {
      throw wrongKind(shown, "is a directory; name a file in it");
    }
    if (!what.isRegularFile()) {
      throw wrongKind(shown, "is a FIFO, a socket or a device; only regular files are read");
    }
    if (what.size() > most) {
      throw tooLarge(shown, most);
    }
    return Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS);
  }

  @Override
  public void write(Object given, byte[] content) throws IOException {
    with(
        given,
        true,
        path -> {
          replace(path, shown(given), target -> target.write(content));
          return true;
        });
  }

  private void replace(Path path, String shown, HostFile.Writer writer) throws IOException {
    requireNotTop(path, shown);
    Path parent = path.getParent();
    if (parent == null || isDirectory(path)) {
      throw wrongKind(shown, "is a directory; give a file another name");
    }
    try {
      Files.createDirectories(parent);
    } catch (FileAlreadyExistsException e) {
      throw wrongKind(shown, e.getMessage() + " is a file, not a directory; name a directory");
    }
    Path temporary = parent.resolve(".zett-new-" + UUID.randomUUID());
    try {
      try (OutputStream target =
          Files.newOutputStream(
              temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        writer.write(target);
      }
      Files.move(temporary, path, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  @Override
  public Listing list(Object given, int most) throws IOException {
    return with(
        given,
        false,
        path -> {
          if (!requireThere(path, shown(given)).isDirectory()) {
            throw wrongKind(shown(given), "is a file, not a directory; name a directory");
          }
          List<Entry> entries = new ArrayList<>();
          boolean more = false;
          try (DirectoryStream<Path> found = Files.newDirectoryStream(path)) {
            for (Path each : found) {
              more = entries.size() == most;
              if (more) {
                break;
              }
              add(each, entries);
            }
          }
          entries.sort(Comparator.comparing(Entry::name));
          return new Listing(entries, more);
        });
  }

  private void add(Path path, List<Entry> entries) throws IOException {
    BasicFileAttributes what = attributes(path);
    if (what == null) {
      return; // Gone since.
    }
    Kind kind =
        what.isSymbolicLink()
            ? Kind.LINK
            : what.isOther() ? Kind.OTHER : what.isDirectory() ? Kind.DIRECTORY : Kind.FILE;
    boolean hidden = rules.isHidden(path);
    long size = kind == Kind.FILE && !hidden ? what.size() : 0;
    entries.add(new Entry(String.valueOf(path.getFileName()), kind, size, hidden, path));
  }

  @Override
  public boolean exists(Object given) throws IOException {
    return with(given, false, path -> attributes(path) != null);
  }

  @Override
  public void delete(Object given) throws IOException {
    with(
        given,
        true,
        path -> {
          requireNotTop(path, shown(given));
          try {
            Files.delete(path);
          } catch (DirectoryNotEmptyException e) {
            throw new SandboxFileException(
                shown(given),
                Reason.FAILED,
                "the directory is not empty; delete what is in it first, or let a command do it",
                e);
          }
          return true;
        });
  }

  @Override
  public void copyIn(Path host, Object given) throws IOException {
    with(
        given,
        true,
        path -> {
          HostFile file = HostFile.source(host, rules::isOutside);
          try (InputStream source = file.open()) {
            replace(path, shown(given), target -> copy(source, target, shown(given), -1));
          }
          return true;
        });
  }

  @Override
  public void copyOut(Object given, Path host, long most) throws IOException {
    with(
        given,
        false,
        path -> {
          HostFile file = HostFile.target(host, rules::isOutside);
          try (InputStream source = open(path, shown(given), most)) {
            file.replace(target -> copy(source, target, shown(given), most));
          }
          return true;
        });
  }

  private void copy(InputStream source, OutputStream target, String shown, long most)
      throws IOException {
    byte[] chunk = new byte[CHUNK];
    long total = 0;
    for (int count = source.read(chunk); count >= 0; count = source.read(chunk)) {
      checkOpen();
      total += count;
      if (most >= 0 && total > most) {
        throw tooLarge(shown, most);
      }
      target.write(chunk, 0, count);
    }
  }

  private <T> T with(Object given, boolean writes, Action<T> action) throws IOException {
    Path path = at(given);
    use.readLock().lock();
    try {
      checkOpen();
      rules.require(path, writes, shown(given));
      refuseLinks(path, shown(given));
      return action.apply(path);
    } catch (NoSuchFileException e) {
      throw missing(shown(given), e);
    } finally {
      use.readLock().unlock();
    }
  }

  private Path at(Object given) {
    String text = given.toString();
    if (text.isEmpty() || text.length() > LONGEST_PATH || text.indexOf('\0') >= 0) {
      throw refused(
          text.isEmpty() ? "is empty; \".\" is the workspace" : "no file has such a path");
    }
    if (text.equals("~") || text.startsWith("~/")) {
      throw refused(
          text + ": \"~\" is expanded by a shell only; write ./~ for a file of that name");
    }
    Path path;
    try {
      path = workspace.resolve(given instanceof Path it ? it : Path.of(text)).normalize();
    } catch (InvalidPathException e) {
      throw refused(text + ": " + e.getReason());
    }
    if (!path.startsWith(workspace)) {
      throw refused(
          text
              + ": is not in the workspace "
              + workspace
              + "; give a path relative to it or below it");
    }
    return path;
  }

  private static IllegalArgumentException refused(String problem) {
    return new IllegalArgumentException("path: " + problem);
  }

  /**
   * The last component is looked at, too, unless it is to be replaced, listed or deleted itself.
   */
  private void refuseLinks(Path path, String shown) throws IOException {
    Path at = workspace;
    Path rest = workspace.relativize(path);
    for (int i = 0; i < rest.getNameCount() - 1; i++) {
      at = at.resolve(rest.getName(i));
      BasicFileAttributes what = attributes(at);
      if (what == null) {
        return;
      }
      if (what.isSymbolicLink() || what.isOther()) {
        throw new SandboxFileException(
            shown,
            Reason.LINK,
            at + " is a symbolic link, and links are not followed; name what it leads to",
            null);
      }
    }
  }

  private static BasicFileAttributes requireThere(Path path, String shown) throws IOException {
    BasicFileAttributes what = attributes(path);
    if (what == null) {
      throw missing(shown, null);
    }
    if (what.isSymbolicLink()) {
      throw new SandboxFileException(
          shown,
          Reason.LINK,
          "is a symbolic link, and links are not followed; name what it leads to",
          null);
    }
    return what;
  }

  private static @Nullable BasicFileAttributes attributes(Path path) throws IOException {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      if (Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
        return null; // A component before it is a file.
      }
      throw e;
    }
  }

  private static boolean isDirectory(Path path) throws IOException {
    BasicFileAttributes what = attributes(path);
    return what != null && what.isDirectory();
  }

  private void requireNotTop(Path path, String shown) throws SandboxFileException {
    if (path.equals(workspace)) {
      throw wrongKind(shown, "is the workspace itself; name a file in it");
    }
  }

  private static String shown(Object given) {
    return given.toString();
  }

  private static SandboxFileException missing(String shown, @Nullable IOException cause) {
    return new SandboxFileException(
        shown, Reason.NOT_FOUND, "does not exist; list the directory to see what is there", cause);
  }

  private static SandboxFileException wrongKind(String shown, String problem) {
    return new SandboxFileException(shown, Reason.WRONG_KIND, problem, null);
  }

  private static SandboxFileException tooLarge(String shown, long most) {
    return new SandboxFileException(
        shown,
        Reason.TOO_LARGE,
        "has more than the bound of "
            + most
            + " bytes; give a larger bound, or let a command cut it",
        null);
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
