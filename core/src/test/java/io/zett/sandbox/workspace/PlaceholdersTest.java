package io.zett.sandbox.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.faults.CallCounter;
import io.zett.sandbox.faults.InterposedPosix;
import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PlaceholdersTest {

  /** What the file system under the workspace can do. */
  enum Disk {
    FULL,
    NO_TMPFILE,
    NO_ATTRIBUTES,
    NO_NOREPLACE,
    NOTHING;

    Posix on(Posix real) {
      return switch (this) {
        case FULL -> real;
        case NO_TMPFILE ->
            InterposedPosix.failing(
                real,
                "openat",
                call -> ((int) call.argument(2) & 020000000) != 0,
                Errno.EOPNOTSUPP);
        case NO_ATTRIBUTES -> {
          Posix unset = InterposedPosix.failing(real, "fsetxattr", Errno.EOPNOTSUPP);
          yield InterposedPosix.failing(unset, "fgetxattr", Errno.EOPNOTSUPP);
        }
        case NO_NOREPLACE -> InterposedPosix.failing(real, "renameat2", Errno.EINVAL);
        case NOTHING ->
            NO_ATTRIBUTES.on(
                NO_NOREPLACE.on(
                    NO_TMPFILE.on(InterposedPosix.failing(real, "openat2", Errno.ENOSYS))));
      };
    }
  }

  private final Posix posix = Posix.system();

  @TempDir Path host;
  private Path workspace;
  private UnixPath env;
  private UnixPath git;

  @BeforeEach
  void makeWorkspace() throws IOException {
    workspace = Files.createDirectory(host.toRealPath().resolve("w"));
    env = UnixPath.of(workspace.resolve(".env"));
    git = UnixPath.of(workspace.resolve(".git"));
  }

  private Placeholders placeholders(Disk disk) {
    return new Placeholders(disk.on(posix), UnixPath.of(host.resolve("locks")));
  }

  private FileStatus status(UnixPath path) {
    FileStatus status = posix.lstat(path);
    assertThat(status).as("%s", path).isNotNull();
    return status;
  }

  @ParameterizedTest
  @EnumSource
  void aMissingPathIsThereWhileItIsHeldAndGoneAfterwards(Disk disk) {
    CallCounter counting = new CallCounter();
    UnixPath locks = UnixPath.of(host.resolve("locks"));
    Placeholders all = new Placeholders(counting.over(disk.on(posix)), locks);

    Placeholder file = all.acquire(env, false).orElseThrow();
    Placeholder directory = all.acquire(git, true).orElseThrow();

    assertThat(status(env).mode()).isEqualTo(0100444);
    assertThat(status(env).size()).isZero();
    assertThat(status(git).mode()).isEqualTo(0040555);
    assertThat(file.path()).isEqualTo(env);
    assertThat(file.isIntact()).isTrue();
    assertThat(directory.isIntact()).isTrue();
    assertThat(all.isPlaceholder(env)).isTrue();
    assertThat(all.isPlaceholder(git)).isTrue();
    assertThat(Trees.names(workspace)).containsExactly(".env", ".git");

    file.close();
    directory.close();
    file.close();

    assertThat(workspace).isEmptyDirectory();
    assertThat(file.isIntact()).isFalse();
    assertThat(counting.open()).as("descriptors left open").isZero();
    assertThat(Files.exists(host.resolve("locks")) ? Trees.names(host.resolve("locks")) : null)
        .isIn(null, List.of());
  }

  @ParameterizedTest
  @EnumSource
  void theLastHolderTakesItAway(Disk disk) {
    Placeholder first = placeholders(disk).acquire(env, false).orElseThrow();
    Placeholder second = placeholders(disk).acquire(env, false).orElseThrow();

    first.close();
    assertThat(second.isIntact()).isTrue();
    second.close();

    assertThat(workspace).isEmptyDirectory();
  }

  @ParameterizedTest
  @EnumSource
  void somethingRealIsNeverHeld(Disk disk) throws IOException {
    Placeholders all = placeholders(disk);
    Trees.sh(
        workspace,
        "touch .env; chmod 444 .env; mkdir .git; chmod 555 .git; echo x > full; chmod 444 full;"
            + " ln -s .env link; mkfifo pipe");

    for (String name : new String[] {".env", ".git", "full", "link", "pipe"}) {
      UnixPath path = UnixPath.of(workspace.resolve(name));
      assertThat(all.isPlaceholder(path)).as(name).isFalse();
      assertThat(all.acquire(path, false)).as(name).isEmpty();
    }

    assertThat(Trees.names(workspace)).containsExactly(".env", ".git", "full", "link", "pipe");
  }

  @ParameterizedTest
  @EnumSource
  void whatTheHostPutInItsPlaceStays(Disk disk) throws IOException {
    Placeholder file = placeholders(disk).acquire(env, false).orElseThrow();
    Placeholder directory = placeholders(disk).acquire(git, true).orElseThrow();
    Trees.sh(workspace, "echo REAL > new; mv -f new .env; rmdir .git; mkdir .git; touch .git/HEAD");

    assertThat(file.isIntact()).isFalse();
    file.close();
    directory.close();

    assertThat(workspace.resolve(".env")).hasContent("REAL\n");
    assertThat(Trees.names(workspace.resolve(".git"))).containsExactly("HEAD");
    assertThat(Trees.names(workspace)).containsExactly(".env", ".git");
  }

  @ParameterizedTest
  @EnumSource
  void aPlaceholderThatTheHostDeletedIsNoError(Disk disk) {
    Placeholder file = placeholders(disk).acquire(env, false).orElseThrow();
    Trees.sh(workspace, "rm -f .env");

    assertThat(file.isIntact()).isFalse();
    Placeholder again = placeholders(disk).acquire(env, false).orElseThrow();
    file.close();
    assertThat(again.isIntact()).isTrue();
    again.close();

    assertThat(workspace).isEmptyDirectory();
  }

  @ParameterizedTest
  @EnumSource
  void aDirectoryThatTheHostFilledBecomesTheHosts(Disk disk) {
    Placeholders all = placeholders(disk);
    Placeholder directory = all.acquire(git, true).orElseThrow();
    Trees.sh(workspace, "chmod 755 .git; touch .git/HEAD; chmod 555 .git");

    directory.close();

    assertThat(Trees.names(workspace.resolve(".git"))).containsExactly("HEAD");
    assertThat(status(git).permissions()).isEqualTo(0755);
    assertThat(all.isPlaceholder(git)).isFalse();
    assertThat(all.acquire(git, true)).isEmpty();
  }

  @Test
  void aFileThatTheHostFilledBecomesTheHosts() {
    Placeholders all = placeholders(Disk.FULL);
    Placeholder file = all.acquire(env, false).orElseThrow();
    Trees.sh(workspace, "chmod 644 .env; echo REAL > .env; chmod 444 .env");

    file.close();

    assertThat(workspace.resolve(".env")).hasContent("REAL\n");
    assertThat(status(env).permissions()).isEqualTo(0644);
    assertThat(all.acquire(env, false)).isEmpty();
  }

  @Test
  void aPathBelowAPlaceholderIsHeldByIt() {
    Placeholders all = placeholders(Disk.FULL);
    Placeholder directory = all.acquire(git, true).orElseThrow();

    Placeholder below = all.acquire(git.resolve("hooks"), true).orElseThrow();

    assertThat(below.path()).isEqualTo(git);
    directory.close();
    assertThat(below.isIntact()).isTrue();
    below.close();
    assertThat(workspace).isEmptyDirectory();
  }

  @ParameterizedTest
  @EnumSource
  void aLinkInThePathIsNotFollowed(Disk disk) throws IOException {
    Path outside = Files.createDirectory(host.resolve("outside"));
    Files.createSymbolicLink(workspace.resolve("d"), outside);

    assertThatThrownBy(
            () -> placeholders(disk).acquire(UnixPath.of(workspace.resolve("d/planted")), false))
        .isInstanceOf(PosixException.class);

    assertThat(outside).isEmptyDirectory();
  }

  @Test
  void aFolderThatIsGoneIsAnError() {
    assertThatThrownBy(() -> placeholders(Disk.FULL).acquire(env.resolve("x"), false))
        .isInstanceOf(PosixException.class)
        .hasMessageContaining("ENOENT");
  }

  @ParameterizedTest
  @EnumSource(names = {"FULL", "NO_TMPFILE"})
  void whatACommandPlantedUnderThePassingNameIsNotUsed(Disk disk) throws IOException {
    for (boolean directory : new boolean[] {true, false}) {
      UnixPath path = directory ? git : env;
      byte[] name = new Slot(posix, -1, path.name(), path, directory).passingName();
      Path passing = UnixPath.of(workspace).resolve(name).toPath();
      Files.createDirectories(passing.resolve("hooks"));

      Placeholder held = placeholders(disk).acquire(path, directory).orElseThrow();

      assertThat(directory ? Trees.names(path.toPath()) : List.of()).isEmpty();
      held.close();
      assertThat(Trees.exists(path.toPath())).isFalse();
      assertThat(passing.resolve("hooks")).isDirectory();
      Trees.sh(workspace, "rm -rf .zett-*");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FULL", "NO_TMPFILE"})
  void whatWasKilledHalfWayIsCleared(Disk disk) throws IOException {
    Path directory = workspace.resolve(new String(passingName(git), StandardCharsets.US_ASCII));
    Files.createDirectory(directory);
    placeholders(disk).acquire(git, true).orElseThrow().close();
    assertThat(workspace).isEmptyDirectory();

    // Killed between the two steps of a removal.
    Placeholder killed = placeholders(disk).acquire(env, false).orElseThrow();
    String passing = new String(passingName(env), StandardCharsets.US_ASCII);
    Trees.sh(workspace, "mv .env \"$1\"", passing);
    killed.close();
    placeholders(disk).acquire(env, false).orElseThrow().close();
    assertThat(workspace).isEmptyDirectory();
  }

  private byte[] passingName(UnixPath path) {
    return new Slot(posix, -1, path.name(), path, true).passingName();
  }

  @Test
  void aLockThatACommandKeepsOnALeftOverIsWaitedForOnlySoLong() {
    UnixPath locks = UnixPath.of(host.resolve("locks"));
    try (Child killed = Child.start("hold", env.toString(), locks.toString(), "file")) {
      assertThat(killed.line()).isEqualTo("held");
    }
    int foreign = posix.open(env, Constants.O_RDONLY, 0);
    assertThat(posix.flock(foreign, Constants.LOCK_EX)).isTrue();

    Placeholders impatient = new Placeholders(posix, locks, 50_000_000);
    assertThatThrownBy(() -> impatient.acquire(env, false))
        .isInstanceOf(PosixException.class)
        .hasMessageContaining("EAGAIN")
        .hasMessageContaining(env.toString());

    posix.close(foreign);
    impatient.acquire(env, false).orElseThrow().close();
    assertThat(workspace).isEmptyDirectory();
  }

  @ParameterizedTest
  @EnumSource(names = {"NO_ATTRIBUTES", "NOTHING"})
  void aFolderOfLocksThatOthersMayWriteIsRefused(Disk disk) throws IOException {
    Trees.sh(host, "mkdir locks; chmod 777 locks");

    assertThatThrownBy(() -> placeholders(disk).acquire(env, false))
        .isInstanceOf(PosixException.class)
        .hasMessageContaining("EPERM");
    assertThat(workspace).isEmptyDirectory();
  }

  @Test
  void namesOfAnyBytesAndLengthCanBeHeld() {
    for (byte[] name :
        new byte[][] {{(byte) 0xff, '\n'}, "x".repeat(255).getBytes(StandardCharsets.US_ASCII)}) {
      UnixPath path = UnixPath.of(workspace).resolve(name);
      for (boolean directory : new boolean[] {true, false}) {
        Optional<Placeholder> held = placeholders(Disk.FULL).acquire(path, directory);
        assertThat(posix.lstat(path)).isNotNull();
        held.orElseThrow().close();
      }
    }
    assertThat(workspace).isEmptyDirectory();
  }
}
