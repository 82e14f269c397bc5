package io.zett.sandbox.posix;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whether files are as they were seen. */
class SeenFilesTest {

  private static final Posix POSIX = Posix.system();

  @TempDir private Path directory;
  private SeenFiles seen = () -> false;

  /** Something that happens to the files. */
  @FunctionalInterface
  private interface Change {
    void to(Path directory) throws IOException;
  }

  private record Named(String name, Change change) {
    @Override
    public String toString() {
      return name;
    }
  }

  @BeforeEach
  void look() throws IOException {
    Files.writeString(directory.resolve("file"), "text");
    Files.createFile(directory.resolve("empty"));
    Files.createDirectory(directory.resolve("folder"));
    Files.createSymbolicLink(directory.resolve("link"), Path.of("file"));
    seen =
        POSIX.remember(
            Stream.of("file", "empty", "folder", "link", "missing", "file/below")
                .map(name -> UnixPath.of(directory.resolve(name)))
                .map(path -> new SeenFile(path, POSIX.lstat(path), false, target(path), false))
                .toList());
  }

  private static byte[] target(UnixPath path) {
    return path.latin1().endsWith("/link") ? "file".getBytes(UTF_8) : null;
  }

  @Test
  void nothingHasChanged() {
    assertThat(seen.areAsSeen()).isTrue();
    assertThat(seen.areAsSeen()).isTrue();
  }

  @Test
  void aFilesContentAndTimeDoNotCount() throws IOException {
    Files.writeString(directory.resolve("file"), "other and longer text");
    Files.setLastModifiedTime(directory.resolve("folder"), FileTime.fromMillis(1));
    assertThat(seen.areAsSeen()).isTrue();
  }

  static List<Named> changes() {
    return List.of(
        new Named("a missing file comes", at -> Files.createFile(at.resolve("missing"))),
        new Named("a file goes", at -> Files.delete(at.resolve("file"))),
        new Named(
            "a file is replaced",
            at -> {
              Path other = Files.writeString(at.resolve("other"), "text");
              Files.move(other, at.resolve("file"), StandardCopyOption.REPLACE_EXISTING);
            }),
        new Named("a file is emptied", at -> Files.writeString(at.resolve("file"), "")),
        new Named("an empty file is filled", at -> Files.writeString(at.resolve("empty"), "text")),
        new Named(
            "permissions change",
            at ->
                Files.setPosixFilePermissions(
                    at.resolve("folder"), PosixFilePermissions.fromString("r-x------"))),
        new Named(
            "a directory becomes a link",
            at -> {
              Files.move(at.resolve("folder"), at.resolve("moved"));
              Files.createSymbolicLink(at.resolve("folder"), at.resolve("moved"));
            }),
        new Named(
            "a link leads elsewhere, with its time set back",
            at -> {
              Object time =
                  Files.getAttribute(
                      at.resolve("link"), "lastModifiedTime", LinkOption.NOFOLLOW_LINKS);
              Files.delete(at.resolve("link"));
              Files.createSymbolicLink(at.resolve("link"), Path.of("else"));
              Files.setAttribute(
                  at.resolve("link"), "lastModifiedTime", time, LinkOption.NOFOLLOW_LINKS);
            }));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void aChangeIsNoticed(Named named) throws IOException {
    named.change().to(directory);
    assertThat(seen.areAsSeen()).isFalse();
  }

  @Test
  void theTimeCountsWhereItIsAskedFor() throws IOException {
    UnixPath folder = UnixPath.of(directory.resolve("folder"));
    SeenFiles timed =
        POSIX.remember(List.of(new SeenFile(folder, POSIX.lstat(folder), false, null, true)));
    assertThat(timed.areAsSeen()).isTrue();
    Files.setLastModifiedTime(directory.resolve("folder"), FileTime.fromMillis(1));
    assertThat(timed.areAsSeen()).isFalse();
  }
}
