package io.zett.sandbox.host;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.DirectoryEntry;
import io.zett.sandbox.posix.DiskCalls;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.SeenFile;
import io.zett.sandbox.posix.SeenFiles;
import io.zett.sandbox.posix.UnixPath;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A Unix disk as the JDK shows it, by its {@code unix:} attributes. Stateless. */
public final class PlainDisk implements DiskCalls {
  private static final String ATTRIBUTES = "unix:dev,ino,mode,uid,gid,nlink,size,lastModifiedTime";

  // The words of strerror(3), the same on Linux, macOS and the BSDs: the JDK tells no numbers.
  private static final Map<String, Integer> NUMBERS =
      Map.of(
          "Not a directory", Errno.ENOTDIR,
          "File name too long", Errno.ENAMETOOLONG,
          "Too many open files", Errno.EMFILE,
          "Too many open files in system", Errno.ENFILE,
          "Cannot allocate memory", Errno.ENOMEM);

  @Override
  public @Nullable FileStatus lstat(UnixPath path) {
    try {
      Map<String, Object> found =
          Files.readAttributes(path.toPath(), ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
      return new FileStatus(
          number(found, "dev"),
          number(found, "ino"),
          (int) number(found, "mode"),
          (int) number(found, "uid"),
          (int) number(found, "gid"),
          number(found, "nlink"),
          number(found, "size"),
          ((FileTime) Objects.requireNonNull(found.get("lastModifiedTime")))
              .to(TimeUnit.NANOSECONDS),
          0);
    } catch (IOException e) {
      PosixException told = told("lstat", path, e);
      if (told.errno() == Errno.ENOENT || told.errno() == Errno.ENOTDIR) {
        return null;
      }
      throw told;
    }
  }

  private static long number(Map<String, Object> found, String name) {
    return ((Number) Objects.requireNonNull(found.get(name))).longValue();
  }

  @Override
  public byte[] readlink(UnixPath path) {
    try {
      // Names of macOS are UTF-8, and so is the encoding that its JDK reads them with.
      return Files.readSymbolicLink(path.toPath()).toString().getBytes(StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw told("readlink", path, e);
    }
  }

  @Override
  public void list(UnixPath directory, Consumer<DirectoryEntry> each) {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory.toPath())) {
      for (Path entry : entries) {
        each.accept(new DirectoryEntry(UnixPath.of(entry).name(), 0, (byte) Constants.DT_UNKNOWN));
      }
    } catch (DirectoryIteratorException e) {
      IOException cause = Objects.requireNonNull(e.getCause());
      told("list", directory, cause).throwIfShortage();
    } catch (IOException e) {
      told("list", directory, e).throwIfShortage();
    }
  }

  @Override
  public byte[] readRegularFile(UnixPath path, int limit) {
    Path file = path.toPath();
    if (!Files.isRegularFile(file)) {
      return new byte[0];
    }
    try (InputStream stream = Files.newInputStream(file)) {
      return stream.readNBytes(limit);
    } catch (IOException e) {
      throw told("read", path, e);
    }
  }

  @Override
  public SeenFiles remember(List<SeenFile> files) {
    List<SeenFile> copy = List.copyOf(files);
    return () -> copy.stream().allMatch(this::isAsSeen);
  }

  private boolean isAsSeen(SeenFile file) {
    FileStatus now;
    try {
      now = lstat(file.path());
      if (now != null && file.target() != null) {
        return isSame(file, now) && Arrays.equals(file.target(), readlink(file.path()));
      }
    } catch (PosixException e) {
      e.throwIfShortage();
      return file.unreachable();
    }
    return now == null ? file.status() == null && !file.unreachable() : isSame(file, now);
  }

  private static boolean isSame(SeenFile file, FileStatus now) {
    FileStatus before = file.status();
    return before != null
        && now.isSameFile(before)
        && now.mode() == before.mode()
        && now.uid() == before.uid()
        && now.gid() == before.gid()
        && (!before.isRegular() || (now.size() == 0) == (before.size() == 0))
        && (!before.isSocket() || now.nlink() == before.nlink())
        && (!file.timed() || now.mtimeNanos() == before.mtimeNanos());
  }

  private static PosixException told(String call, UnixPath path, IOException e) {
    int errno = Errno.EIO;
    if (e instanceof NoSuchFileException) {
      errno = Errno.ENOENT;
    } else if (e instanceof AccessDeniedException) {
      errno = Errno.EACCES;
    } else if (e instanceof FileSystemException told && told.getReason() != null) {
      errno = NUMBERS.getOrDefault(told.getReason(), Errno.EIO);
    }
    PosixException failure = new PosixException(errno, call, path.toString());
    failure.initCause(e);
    return failure;
  }
}
