package io.zett.sandbox.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several processes, and the host, at the same path. */
class PlaceholderProcessesTest {

  private static final String ROUNDS = "2000";
  private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

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
  void aFileThatTheHostKeepsReplacingIsNeverHarmed() throws Exception {
    Path path = workspace.resolve(".env");
    Path fresh = host.resolve("fresh");
    try (Child first = Child.start("stress", path.toString(), locks, "file", ROUNDS);
        Child second = Child.start("stress", path.toString(), locks, "file", ROUNDS)) {
      for (int i = 0; first.isAlive() || second.isAlive(); i++) {
        String content = "secret " + i;
        Files.writeString(fresh, content);
        Object mine = fileKey(fresh);
        Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE);
        soon(() -> Files.readString(path).equals(content));
        soon(() -> isTakenBack(path, mine));
        assertThat(taken()).hasContent(content);
        Files.delete(taken());
      }
      assertThat(first.line()).startsWith("real ");
      assertThat(second.line()).startsWith("real ");
    }
    placeholders().acquire(UnixPath.of(path), false).orElseThrow().close();
    assertThat(workspace).as("no ghost").isEmptyDirectory();
  }

  @Test
  void aDirectoryThatTheHostKeepsMakingIsNeverHarmed() throws Exception {
    Path path = workspace.resolve(".git");
    try (Child first = Child.start("stress", path.toString(), locks, "directory", ROUNDS);
        Child second = Child.start("stress", path.toString(), locks, "directory", ROUNDS)) {
      for (int i = 0; first.isAlive() || second.isAlive(); i++) {
        Path made = Files.createDirectory(host.resolve("made"));
        Files.writeString(made.resolve("HEAD"), "ref " + i);
        Object mine = fileKey(made);
        Files.move(made, path, StandardCopyOption.ATOMIC_MOVE); // also over an empty placeholder
        assertThat(path.resolve("HEAD")).hasContent("ref " + i);
        // Moved whole: were it emptied in place, it would be like the placeholder that it replaced.
        soon(() -> isTakenBack(path, mine));
        assertThat(taken().resolve("HEAD")).hasContent("ref " + i);
        Files.delete(taken().resolve("HEAD"));
        Files.delete(taken());
      }
      assertThat(first.line()).startsWith("real ");
      assertThat(second.line()).startsWith("real ");
    }
    placeholders().acquire(UnixPath.of(path), true).orElseThrow().close();
    assertThat(workspace).as("no ghost").isEmptyDirectory();
  }

  /**
   * Moves what is at the path to a place of the host's own. What is not the host's was a
   * placeholder: empty, and free for anybody to delete.
   */
  private boolean isTakenBack(Path path, Object mine) throws IOException {
    Files.move(path, taken(), StandardCopyOption.ATOMIC_MOVE);
    if (fileKey(taken()).equals(mine)) {
      return true;
    }
    assertThat(Files.isDirectory(taken()) ? 0 : Files.size(taken())).as("not the host's").isZero();
    Files.delete(taken());
    return false;
  }

  private Path taken() {
    return host.resolve("taken");
  }

  private static Object fileKey(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .fileKey();
  }

  /** For an instant it may be under another name, and a placeholder under its own: see Removal. */
  private static void soon(Callable<Boolean> action) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!isDone(action)) {
      assertThat(System.nanoTime()).as("what is the host's is lost").isLessThan(deadline);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private static boolean isDone(Callable<Boolean> action) throws Exception {
    try {
      return action.call();
    } catch (NoSuchFileException e) {
      return false;
    } catch (AccessDeniedException e) {
      return false; // only its owner's write permission lets a directory, so a placeholder, move
    }
  }
}
