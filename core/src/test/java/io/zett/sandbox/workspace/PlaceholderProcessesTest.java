package io.zett.sandbox.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several processes, and the host, at the same path. */
class PlaceholderProcessesTest {

  private static final String ROUNDS = "2000";

  private final Posix posix = Posix.system();

  @TempDir Path host;
  private Path workspace;
  private String locks;

  @BeforeEach
  void makeWorkspace() throws IOException {
    workspace = Files.createDirectory(host.toRealPath().resolve("w"));
    locks = host.resolve("locks").toString();
  }

  private Placeholders placeholders() {
    return new Placeholders(posix, UnixPath.ofText(locks));
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "directory"})
  void whatAKilledProcessLeftIsTakenAwayByTheNextHolder(String kind) {
    Path path = workspace.resolve("denied");
    UnixPath denied = UnixPath.of(path);
    try (Child child = Child.start("hold", path.toString(), locks, kind)) {
      assertThat(child.line()).isEqualTo("held");
    }
    assertThat(Trees.exists(path)).isTrue();
    assertThat(placeholders().isPlaceholder(denied)).as("left over").isTrue();

    placeholders().acquire(denied, kind.equals("directory")).orElseThrow().close();

    assertThat(workspace).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "directory"})
  void anothersPlaceholderStaysUntilItHasEndedToo(String kind) {
    Path path = workspace.resolve("denied");
    try (Child child = Child.start("hold", path.toString(), locks, kind)) {
      assertThat(child.line()).isEqualTo("held");
      placeholders().acquire(UnixPath.of(path), kind.equals("directory")).orElseThrow().close();
      assertThat(Trees.exists(path)).isTrue();
      Placeholder mine =
          placeholders().acquire(UnixPath.of(path), kind.equals("directory")).orElseThrow();
      child.kill();
      assertThat(mine.isIntact()).isTrue();
      mine.close();
    }
    assertThat(workspace).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "directory"})
  void processesDoNotTakeEachOthersAway(String kind) {
    String path = workspace.resolve("denied").toString();
    try (Child first = Child.start("stress", path, locks, kind, ROUNDS);
        Child second = Child.start("stress", path, locks, kind, ROUNDS);
        Child third = Child.start("stress", path, locks, kind, ROUNDS)) {
      assertThat(first.line()).isEqualTo("real 0 gone 0");
      assertThat(second.line()).isEqualTo("real 0 gone 0");
      assertThat(third.line()).isEqualTo("real 0 gone 0");
    }
    assertThat(workspace).as("no ghost").isEmptyDirectory();
  }

  @Test
  void aFileThatTheHostKeepsReplacingIsNeverHarmed() throws IOException {
    Path path = workspace.resolve(".env");
    Path fresh = host.resolve("fresh");
    try (Child first = Child.start("stress", path.toString(), locks, "file", ROUNDS);
        Child second = Child.start("stress", path.toString(), locks, "file", ROUNDS)) {
      for (int i = 0; first.isAlive() || second.isAlive(); i++) {
        String content = "secret " + i;
        Files.writeString(fresh, content);
        Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE);
        assertThat(read(path)).isEqualTo(content);
        Files.delete(path);
      }
      assertThat(first.line()).startsWith("real ");
      assertThat(second.line()).startsWith("real ");
    }
    placeholders().acquire(UnixPath.of(path), false).orElseThrow().close();
    assertThat(workspace).as("no ghost").isEmptyDirectory();
  }

  /** For an instant it may be under another name, see Removal. */
  private String read(Path path) throws IOException {
    for (int attempt = 0; ; attempt++) {
      try {
        return Files.readString(path);
      } catch (NoSuchFileException e) {
        if (attempt == 1000) {
          throw e;
        }
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void aDirectoryThatTheHostKeepsMakingIsNeverHarmed() throws IOException {
    Path path = workspace.resolve(".git");
    try (Child first = Child.start("stress", path.toString(), locks, "directory", ROUNDS);
        Child second = Child.start("stress", path.toString(), locks, "directory", ROUNDS)) {
      for (int i = 0; first.isAlive() || second.isAlive(); i++) {
        Path made = Files.createDirectory(host.resolve("made"));
        Path head = Files.writeString(made.resolve("HEAD"), "ref " + i);
        if (made.toFile().renameTo(path.toFile())) { // also over an empty placeholder
          assertThat(path.resolve("HEAD")).hasContent("ref " + i);
          Files.delete(path.resolve("HEAD"));
          Files.delete(path);
        } else {
          Files.delete(head);
          Files.delete(made);
        }
      }
      assertThat(first.line()).startsWith("real ");
      assertThat(second.line()).startsWith("real ");
    }
    placeholders().acquire(UnixPath.of(path), true).orElseThrow().close();
    assertThat(workspace).as("no ghost").isEmptyDirectory();
  }
}
