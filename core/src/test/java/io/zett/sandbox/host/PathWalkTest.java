package io.zett.sandbox.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where paths lead, on a real disk. */
class PathWalkTest {

  @TempDir Path temp;
  private Path base;
  private Path writable;

  @BeforeEach
  void directories() throws Exception {
    base = temp.toRealPath();
    writable = Files.createDirectory(base.resolve("w"));
  }

  private ResolvedPath resolve(Path path) {
    return new PathWalk(Posix.system(), Set.of(UnixPath.of(writable))).resolve(UnixPath.of(path));
  }

  @Test
  void linksAreFollowedAndRemembered() throws Exception {
    Path real = Files.createDirectories(base.resolve("a/b"));
    Files.writeString(real.resolve("f"), "x");
    Files.createSymbolicLink(base.resolve("one"), Path.of("a"));
    Files.createSymbolicLink(real.resolve("two"), Path.of("../../one/b/f"));

    ResolvedPath found = resolve(base.resolve("one/b/two"));

    assertThat(found.real().toPath()).isEqualTo(real.resolve("f"));
    assertThat(found.exists()).isTrue();
    assertThat(found.links())
        .containsExactly(
            UnixPath.of(base.resolve("one")),
            UnixPath.of(real.resolve("two")),
            UnixPath.of(base.resolve("one")));
    assertThat(found.replaceable()).isFalse();
  }

  @Test
  void theFirstMissingComponentIsNamedBehindLinksToo() throws Exception {
    Files.createSymbolicLink(writable.resolve("cfg"), Path.of("no/where"));

    ResolvedPath found = resolve(writable.resolve("cfg/deep"));

    assertThat(found.exists()).isFalse();
    assertThat(found.real().toPath()).isEqualTo(writable.resolve("no/where/deep"));
    assertThat(found.firstMissing()).isEqualTo(UnixPath.of(writable.resolve("no")));
    assertThat(found.replaceable()).isTrue();
  }

  @Test
  void dotDotMeansTheParentOfWhereALinkLed() throws Exception {
    Files.createDirectories(base.resolve("a/b"));
    Files.createSymbolicLink(base.resolve("l"), base.resolve("a/b"));
    List<String> names = PathWalk.components(UnixPath.of(base).latin1() + "/l/../../w/./x//y");

    ResolvedPath found = new PathWalk(Posix.system(), Set.of()).resolve(names);

    assertThat(found.real().toPath()).isEqualTo(writable.resolve("x/y"));
  }

  @Test
  void aLoopOfLinksLeadsNowhere() throws Exception {
    Files.createSymbolicLink(writable.resolve("x"), Path.of("y"));
    Files.createSymbolicLink(writable.resolve("y"), Path.of("x"));

    ResolvedPath found = resolve(writable.resolve("x/f"));

    assertThat(found.exists()).isFalse();
    assertThat(found.firstMissing()).isNull();
    assertThat(found.replaceable()).isTrue();
  }

  @Test
  void aFileInTheMiddleIsAnObstacle() throws Exception {
    Path file = Files.writeString(writable.resolve("f"), "x");

    ResolvedPath found = resolve(file.resolve("a/b"));

    assertThat(found.exists()).isFalse();
    assertThat(found.obstacle()).isEqualTo(UnixPath.of(file));
  }

  @Test
  void aDirectoryThatMayNotBeSearchedIsAnObstacle() throws Exception {
    Path closed = Files.createDirectories(writable.resolve("closed/in"));
    Files.setPosixFilePermissions(closed.getParent(), PosixFilePermissions.fromString("---------"));
    try {
      ResolvedPath found = resolve(closed);
      if (Posix.system().geteuid() == 0) {
        assertThat(found.exists()).isTrue();
      } else {
        assertThat(found.obstacle()).isEqualTo(UnixPath.of(closed.getParent()));
      }
    } finally {
      Files.setPosixFilePermissions(
          closed.getParent(), PosixFilePermissions.fromString("rwx------"));
    }
  }

  @Test
  void namesOfAnyBytesAndLengthsAreTaken() {
    UnixPath odd = UnixPath.of(base).resolve(new byte[] {'a', (byte) 0xff, '\n', ' '});
    ResolvedPath missing = new PathWalk(Posix.system(), Set.of()).resolve(odd);
    assertThat(missing.firstMissing()).isEqualTo(odd);

    ResolvedPath impossible = resolve(base.resolve("n".repeat(300)));
    assertThat(impossible.exists()).isFalse();
    assertThat(impossible.firstMissing()).isNull();
  }
}
