package io.zett.sandbox.posix;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileCallsTest {

  private final Posix posix = Posix.system();

  @TempDir Path directory;

  @Test
  void whatIsWrittenIsReadFromAnyKindOfBuffer() throws IOException {
    UnixPath file = UnixPath.of(directory).resolve("f");
    int fd = posix.open(file, Constants.O_RDWR | Constants.O_CREAT, 0600);
    ByteBuffer direct = ByteBuffer.allocateDirect(16).put("0123456789".getBytes(UTF_8)).flip();
    assertThat(posix.write(fd, direct.position(2))).isEqualTo(8);
    assertThat(direct.hasRemaining()).isFalse();
    posix.writeFully(fd, "tail".getBytes(UTF_8));
    ByteBuffer heap = ByteBuffer.allocate(6);
    assertThat(posix.pread(fd, heap, 4)).isEqualTo(6);
    assertThat(new String(heap.array(), UTF_8)).isEqualTo("6789ta");
    posix.close(fd);
    assertThat(Files.readString(file.toPath())).isEqualTo("23456789tail");
    assertThat(posix.readFile(file, 5)).isEqualTo("23456".getBytes(UTF_8));
    assertThat(posix.readFile(file, 100)).isEqualTo("23456789tail".getBytes(UTF_8));
  }

  @Test
  void aLargeFileIsReadWhole() throws IOException {
    byte[] content = new byte[100_001];
    Arrays.fill(content, (byte) 7);
    Files.write(directory.resolve("large"), content);
    UnixPath large = UnixPath.of(directory).resolve("large");
    assertThat(posix.readFile(large, 1 << 20)).isEqualTo(content);
    assertThat(posix.readFile(large, 9000)).hasSize(9000);
  }

  @Test
  void aFailureTellsCallSubjectAndErrno() {
    UnixPath missing = UnixPath.of(directory).resolve("missing");
    assertThatThrownBy(() -> posix.open(missing, Constants.O_RDONLY, 0))
        .isInstanceOfSatisfying(
            PosixException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOENT))
        .hasMessage("openat " + missing + ": No such file or directory (ENOENT)");
    assertThat(posix.read(-1, ByteBuffer.allocate(1))).isEqualTo(-Errno.EBADF);
  }

  @Test
  void statusTellsWhatTheJdkTells() throws IOException {
    Path file = Files.writeString(directory.resolve("f"), "12345");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-x---"));
    Files.createSymbolicLink(directory.resolve("link"), Path.of("f"));
    FileStatus status = Objects.requireNonNull(posix.stat(UnixPath.of(file)));
    assertThat(status.isRegular()).isTrue();
    assertThat(status.size()).isEqualTo(5);
    assertThat(status.permissions()).isEqualTo(0650);
    assertThat(status.ino()).isEqualTo(Files.getAttribute(file, "unix:ino"));
    assertThat(status.dev()).isEqualTo(Files.getAttribute(file, "unix:dev"));
    assertThat(status.uid()).isEqualTo(posix.geteuid());
    assertThat(status.mtimeNanos() / 1_000_000)
        .isEqualTo(Files.getLastModifiedTime(file).toMillis());
    UnixPath link = UnixPath.of(directory).resolve("link");
    assertThat(posix.stat(link)).isEqualTo(status);
    assertThat(posix.lstat(link)).matches(FileStatus::isSymlink);
    assertThat(posix.readlink(link)).isEqualTo("f".getBytes(UTF_8));
    assertThat(posix.stat(UnixPath.of(directory).resolve("none"))).isNull();
    assertThat(posix.lstat(UnixPath.of(file).resolve("below"))).isNull();
  }

  @Test
  void everyEntryOfADirectoryIsListedOnce() throws IOException {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      names.add("entry-with-a-name-of-some-length-" + i);
      Files.createFile(directory.resolve(names.getLast()));
    }
    int fd = posix.open(UnixPath.of(directory), Constants.O_RDONLY | Constants.O_DIRECTORY, 0);
    List<String> found = new ArrayList<>();
    for (var batch = posix.getdents(fd); !batch.isEmpty(); batch = posix.getdents(fd)) {
      batch.forEach(entry -> found.add(entry.toString()));
    }
    posix.close(fd);
    assertThat(found).containsExactlyInAnyOrderElementsOf(names);
  }

  @Test
  void namesAreMadeLinkedRenamedAndRemovedBelowADescriptor() {
    int dir = posix.open(UnixPath.of(directory), Constants.O_RDONLY | Constants.O_DIRECTORY, 0);
    posix.mkdirat(dir, name("d"), 0700);
    posix.close(posix.openat(dir, name("f"), Constants.O_CREAT | Constants.O_WRONLY, 0644));
    posix.linkat(dir, name("f"), dir, name("g"), 0);
    posix.symlinkat(name("nowhere"), dir, name("s"));
    posix.renameat2(dir, name("g"), dir, name("h"), Constants.RENAME_NOREPLACE);
    assertThatThrownBy(
            () -> posix.renameat2(dir, name("h"), dir, name("f"), Constants.RENAME_NOREPLACE))
        .hasMessageContaining("EEXIST");
    posix.fchmodat(dir, name("h"), 0400);
    posix.utimensat(dir, name("h"), 5, -1_500_000_000L, 0);
    FileStatus status = Objects.requireNonNull(posix.statat(dir, name("h"), 0));
    assertThat(status.nlink()).isEqualTo(2);
    assertThat(status.permissions()).isEqualTo(0400);
    assertThat(status.mtimeNanos()).isEqualTo(-1_500_000_000L);
    assertThatThrownBy(
            () -> posix.openat2(dir, name("s"), Constants.O_PATH, 0, Constants.RESOLVE_NO_SYMLINKS))
        .hasMessageContaining("ELOOP");
    posix.unlinkat(dir, name("d"), Constants.AT_REMOVEDIR);
    posix.unlinkat(dir, name("h"), 0);
    assertThat(posix.statat(dir, name("h"), 0)).isNull();
    assertThat(posix.access(UnixPath.of(directory).resolve("f"), Constants.R_OK)).isTrue();
    assertThat(posix.access(UnixPath.of(directory).resolve("h"), Constants.R_OK)).isFalse();
    posix.close(dir);
  }

  @Test
  void aLockIsRefusedWhileAnotherHoldsIt() {
    UnixPath file = UnixPath.of(directory).resolve("lock");
    int one = posix.open(file, Constants.O_RDWR | Constants.O_CREAT, 0600);
    int two = posix.open(file, Constants.O_RDWR, 0);
    assertThat(posix.flock(one, Constants.LOCK_EX | Constants.LOCK_NB)).isTrue();
    assertThat(posix.flock(two, Constants.LOCK_SH | Constants.LOCK_NB)).isFalse();
    posix.close(one);
    assertThat(posix.flock(two, Constants.LOCK_SH | Constants.LOCK_NB)).isTrue();
    posix.close(two);
  }

  @Test
  void aSealedMemoryFileCannotBeChanged() {
    int fd = posix.memoryFile("test", false);
    posix.writeFully(fd, name("content"));
    posix.addSeals(fd, Constants.F_SEAL_WRITE | Constants.F_SEAL_SHRINK | Constants.F_SEAL_GROW);
    assertThat(posix.write(fd, ByteBuffer.wrap(name("x")))).isEqualTo(-Errno.EPERM);
    assertThatThrownBy(() -> posix.ftruncate(fd, 0)).hasMessageContaining("EPERM");
    posix.close(fd);
  }

  @Test
  void aNameWithANulIsRefusedBeforeAnythingIsNamed() {
    assertThatThrownBy(() -> posix.unlinkat(Constants.AT_FDCWD, new byte[] {'a', 0, 'b'}, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static byte[] name(String text) {
    return text.getBytes(UTF_8);
  }
}
