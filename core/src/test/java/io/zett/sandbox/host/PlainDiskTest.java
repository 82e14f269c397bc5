package io.zett.sandbox.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.posix.DirectoryEntry;
import io.zett.sandbox.posix.DiskCalls;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.SeenFile;
import io.zett.sandbox.posix.SeenFiles;
import io.zett.sandbox.posix.UnixPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JDK sees the same disk as the system's own calls. */
class PlainDiskTest {
  @TempDir Path base;
  private final DiskCalls plain = new PlainDisk();
  private DiskCalls own;

  @BeforeEach
  void calls() {
    assumeTrue(System.getProperty("os.name").equals("Linux"), "it is compared with Linux's calls");
    own = Posix.system();
  }

  private UnixPath path(String name) {
    return UnixPath.of(base.resolve(name));
  }

  /** The number of the mount is Linux's alone. */
  private static @Nullable FileStatus comparable(@Nullable FileStatus status) {
    return status == null
        ? null
        : new FileStatus(
            status.dev(),
            status.ino(),
            status.mode(),
            status.uid(),
            status.gid(),
            status.nlink(),
            status.size(),
            status.mtimeNanos(),
            0);
  }

  @Test
  void filesAreSeenAlike() throws IOException {
    Files.writeString(base.resolve("file"), "content");
    Files.createDirectory(base.resolve("directory"));
    Files.createSymbolicLink(base.resolve("link"), Path.of("../elsewhere"));
    List<UnixPath> paths = new ArrayList<>(List.of(UnixPath.ofText("/dev/null"), UnixPath.ROOT));
    for (String name : List.of("file", "directory", "link", "missing", "file/below", ".")) {
      paths.add(path(name));
    }
    for (UnixPath each : paths) {
      assertThat(plain.lstat(each)).as(each.toString()).isEqualTo(comparable(own.lstat(each)));
    }
    assertThat(plain.readlink(path("link"))).isEqualTo(own.readlink(path("link")));
    assertThat(names(plain)).isEqualTo(names(own)).hasSize(3);
    for (String name : List.of("file", "directory")) {
      assertThat(plain.readRegularFile(path(name), 4))
          .isEqualTo(own.readRegularFile(path(name), 4));
    }
  }

  private TreeSet<String> names(DiskCalls disk) {
    TreeSet<String> names = new TreeSet<>();
    disk.list(UnixPath.of(base), (DirectoryEntry entry) -> names.add(entry.toString()));
    disk.list(path("missing"), entry -> names.add("of nothing"));
    return names;
  }

  @Test
  void failuresHaveTheSameNumbers() {
    for (DiskCalls disk : List.of(plain, own)) {
      assertThatThrownBy(() -> disk.lstat(path("n".repeat(300))))
          .isInstanceOfSatisfying(
              PosixException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENAMETOOLONG));
      assertThatThrownBy(() -> disk.readlink(path("missing")))
          .isInstanceOfSatisfying(
              PosixException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOENT));
    }
  }

  @Test
  void aChangeIsNoticed() throws IOException {
    Files.writeString(base.resolve("file"), "content");
    Files.createSymbolicLink(base.resolve("link"), Path.of("one"));
    SeenFiles seen =
        plain.remember(
            List.of(
                new SeenFile(path("file"), plain.lstat(path("file")), false, null, false),
                new SeenFile(path("missing"), null, false, null, false),
                new SeenFile(
                    path("link"),
                    plain.lstat(path("link")),
                    false,
                    "one".getBytes(StandardCharsets.UTF_8),
                    false)));
    assertThat(seen.areAsSeen()).isTrue();
    Files.writeString(base.resolve("file"), "other content");
    assertThat(seen.areAsSeen()).as("what is in a file does not count").isTrue();
    Files.createFile(base.resolve("missing"));
    assertThat(seen.areAsSeen()).isFalse();
    Files.delete(base.resolve("missing"));
    Files.delete(base.resolve("link"));
    Files.createSymbolicLink(base.resolve("link"), Path.of("two"));
    assertThat(seen.areAsSeen()).isFalse();
  }
}
