package io.zett.sandbox.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.faults.CallCounter;
import io.zett.sandbox.faults.InterposedPosix;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.workspace.PrivateDirectory.Swept;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateDirectoryTest {

  private final Posix posix = Posix.system();

  @TempDir Path host;

  private UnixPath parent() {
    return UnixPath.of(host);
  }

  private FileStatus status(UnixPath path) {
    FileStatus status = posix.lstat(path);
    assertThat(status).as("%s", path).isNotNull();
    return status;
  }

  @Test
  void nobodyElseMayLookIntoIt() {
    PrivateDirectory made = PrivateDirectory.create(posix, parent());

    for (UnixPath folder : List.of(made.path(), made.workspace(), made.run())) {
      assertThat(status(folder).isDirectory()).isTrue();
      assertThat(status(folder).permissions()).isEqualTo(0700);
      assertThat(status(folder).uid()).isEqualTo(posix.geteuid());
    }
    assertThat(made.workspace()).isEqualTo(made.path().resolve("workspace"));
    assertThat(made.delete().complete()).isTrue();
    assertThat(host).isEmptyDirectory();
  }

  @Test
  void itIsPrivateEvenBelowASetGidDirectory() {
    Trees.sh(host, "chmod 2755 .");

    PrivateDirectory made = PrivateDirectory.create(posix, parent());

    assertThat(status(made.path()).permissions()).isEqualTo(0700);
    assertThat(status(made.workspace()).permissions()).isEqualTo(0700);
    made.delete();
  }

  @Test
  void namesCannotBeGuessed() {
    List<PrivateDirectory> made =
        List.of(PrivateDirectory.create(posix, parent()), PrivateDirectory.create(posix, parent()));

    assertThat(Trees.names(host)).hasSize(2).allMatch(name -> name.matches("zett-[a-z2-7]{12}"));
    made.forEach(PrivateDirectory::delete);
  }

  @Test
  void itsPathIsRealWhereItsParentIsALink() throws IOException {
    Path real = Files.createDirectory(host.resolve("real"));
    Path link = Files.createSymbolicLink(host.resolve("link"), real);

    PrivateDirectory made = PrivateDirectory.create(posix, UnixPath.of(link));

    assertThat(made.path().parent()).isEqualTo(UnixPath.of(real.toRealPath()));
    made.delete();
    assertThat(real).isEmptyDirectory();
  }

  @Test
  void deletingLeavesTheTargetsOfLinksAlone() throws IOException {
    Path keep = Files.createDirectory(host.resolve("keep"));
    Files.writeString(keep.resolve("f"), "precious");
    Map<String, Object> before = Trees.snapshot(keep);
    PrivateDirectory made = PrivateDirectory.create(posix, parent());
    Path workspace = made.workspace().toPath();
    Trees.sh(workspace, "ln -s \"$1\" link; ln -s / r; chmod 0 .", keep.toString());

    assertThat(made.delete().complete()).isTrue();

    assertThat(Trees.names(host)).containsExactly("keep");
    assertThat(Trees.snapshot(keep)).isEqualTo(before);
  }

  @Test
  void aWorkspaceReplacedByALinkIsNotFollowed() throws IOException {
    Path keep = Files.createDirectory(host.resolve("keep"));
    Files.writeString(keep.resolve("f"), "precious");
    PrivateDirectory made = PrivateDirectory.create(posix, parent());
    Trees.sh(made.path().toPath(), "mv workspace w; ln -s \"$1\" workspace", keep.toString());

    assertThat(made.delete().complete()).isTrue();

    assertThat(Trees.names(host)).containsExactly("keep");
    assertThat(keep.resolve("f")).hasContent("precious");
  }

  @Test
  void aDirectoryThatTookItsPlaceIsLeftAlone() throws IOException {
    PrivateDirectory made = PrivateDirectory.create(posix, parent());
    Path path = made.path().toPath();
    Files.move(path, host.resolve("moved"));
    Files.createDirectories(path.resolve("workspace"));

    made.delete();

    assertThat(path.resolve("workspace")).isDirectory();
    assertThat(host.resolve("moved")).isEmptyDirectory();
  }

  @Test
  void deletingTwiceIsHarmlessAndTellsTheSame() {
    CallCounter counting = new CallCounter();
    PrivateDirectory made = PrivateDirectory.create(counting.over(posix), parent());

    Deletion first = made.delete();

    assertThat(made.delete()).isSameAs(first);
    assertThat(counting.open()).as("descriptors left open").isZero();
  }

  @Test
  void whatCouldNotBeDeletedIsToldAndSweptLater() {
    assumeTrue(posix.geteuid() == 0, "only root may make a file immutable");
    PrivateDirectory made = PrivateDirectory.create(posix, parent());
    Path workspace = made.workspace().toPath();
    Trees.sh(workspace, "touch f g; chattr +i f");
    try {
      assertThat(made.delete().remaining())
          .containsExactly(new Remaining(made.workspace().resolve("f"), Errno.EPERM));
      assertThat(PrivateDirectory.sweep(posix, parent()))
          .extracting(swept -> swept.deletion().complete())
          .containsExactly(false);
    } finally {
      Trees.sh(workspace, "chattr -i f");
    }
    assertThat(PrivateDirectory.sweep(posix, parent())).hasSize(1);
    assertThat(host).isEmptyDirectory();
  }

  @Test
  void aFailedCreationLeavesNothingBehind() {
    CallCounter counting = new CallCounter();
    for (String step : List.of("mkdirat", "fchmod", "openat", "statat")) {
      for (int nth = 0; nth < 4; nth++) {
        int[] left = {nth};
        Posix failing = InterposedPosix.failing(posix, step, call -> left[0]-- == 0, Errno.ENOSPC);
        try {
          PrivateDirectory made = PrivateDirectory.create(counting.over(failing), parent());
          left[0] = -1; // from here on nothing fails
          made.delete();
        } catch (PosixException e) {
          assertThat(e.errno()).isEqualTo(Errno.ENOSPC);
        }
        assertThat(Trees.names(host)).as("%s %d", step, nth).isEmpty();
      }
    }
    assertThat(counting.open()).as("descriptors left open").isZero();
  }

  @Test
  void aParentWhereOthersMayRenameIsRefused() throws IOException {
    Path open = Files.createDirectory(host.resolve("open"));
    Trees.sh(open, "chmod 777 .");

    assertThatThrownBy(() -> PrivateDirectory.create(posix, UnixPath.of(open)))
        .isInstanceOf(UnsafeParentException.class)
        .hasMessageContaining(open.toString())
        .hasMessageContaining("sticky");
    assertThat(open).isEmptyDirectory();

    Trees.sh(open, "chmod 1777 .");
    PrivateDirectory.create(posix, UnixPath.of(open)).delete();
  }

  @Test
  void aParentOfAnotherUserIsRefused() throws IOException {
    assumeTrue(posix.geteuid() == 0, "only root may give a directory away");
    Path others = Files.createDirectory(host.resolve("others"));
    Trees.sh(others, "chown 1000 .");

    assertThatThrownBy(() -> PrivateDirectory.create(posix, UnixPath.of(others)))
        .isInstanceOf(UnsafeParentException.class)
        .hasMessageContaining("belongs to user 1000");
  }

  @Test
  void aMissingParentIsAnError() {
    assertThatThrownBy(() -> PrivateDirectory.create(posix, parent().resolve("none")))
        .isInstanceOf(PosixException.class)
        .hasMessageContaining("ENOENT");
  }

  @Test
  void theSweepTakesWhatAKilledProcessLeft() {
    String dead;
    try (Child child = Child.start("private", host.toString())) {
      dead = child.line();
      Trees.sh(Path.of(dead, "workspace"), "mkdir -p a/b; touch a/b/c; chmod 0 a");
      assertThat(PrivateDirectory.sweep(posix, parent())).as("it is alive").isEmpty();
    }

    List<Swept> swept = PrivateDirectory.sweep(posix, parent());

    assertThat(swept).extracting(Swept::path).containsExactly(UnixPath.ofText(dead));
    assertThat(swept.getFirst().deletion().complete()).isTrue();
    assertThat(swept.getFirst()).hasToString(dead + " removed");
    assertThat(host).isEmptyDirectory();
  }

  @Test
  void theSweepLeavesTheLivingAlone() {
    PrivateDirectory mine = PrivateDirectory.create(posix, parent());
    try (Child child = Child.start("private", host.toString())) {
      String theirs = child.line();

      assertThat(PrivateDirectory.sweep(posix, parent())).isEmpty();

      assertThat(Path.of(theirs, "workspace")).isDirectory();
      assertThat(mine.workspace().toPath()).isDirectory();
    }
    mine.delete();
  }

  @Test
  void theSweepNeverTakesWhatOnlyHasSuchAName() {
    Trees.sh(
        host,
        "umask 077; mkdir zett-integrations zett-integrationz zett-aaaaaaaaaaaa zett-short"
            + " zett-bbbbbbbbbbbb zett-cccccccccccc;"
            + " touch zett-integrations/file zett-integrationz/lock zett-integrationz/mine;"
            + " touch zett-short/lock zett-dddddddddddd; mkdir zett-aaaaaaaaaaaa/workspace;"
            + " echo 1 > zett-bbbbbbbbbbbb/lock; touch zett-cccccccccccc/lock;"
            + " chmod 755 zett-cccccccccccc; ln -s zett-short zett-eeeeeeeeeeee");
    Map<String, Object> before = Trees.snapshot(host);

    assertThat(PrivateDirectory.sweep(posix, parent())).isEmpty();

    assertThat(Trees.snapshot(host)).isEqualTo(before);
  }

  @Test
  void theSweepTakesWhatWasKilledWhileItWasMade() {
    Trees.sh(
        host,
        "umask 077; mkdir zett-aaaaaaaaaaaa zett-bbbbbbbbbbbb zett-cccccccccccc;"
            + " touch zett-bbbbbbbbbbbb/lock zett-cccccccccccc/lock;"
            + " mkdir zett-cccccccccccc/workspace");

    PrivateDirectory.sweep(posix, parent());

    assertThat(host).isEmptyDirectory();
  }

  @Test
  void theSweepLeavesOtherUsersDirectoriesAlone() {
    assumeTrue(posix.geteuid() == 0, "only root may give a directory away");
    Trees.sh(
        host,
        "umask 077; mkdir zett-aaaaaaaaaaaa; touch zett-aaaaaaaaaaaa/lock;"
            + " chown -R 1000 zett-aaaaaaaaaaaa");

    assertThat(PrivateDirectory.sweep(posix, parent())).isEmpty();
    assertThat(Trees.names(host)).containsExactly("zett-aaaaaaaaaaaa");
  }

  @Test
  void sweepersAndMakersDoNotDisturbEachOther() {
    try (Child first = Child.start("create", host.toString(), "150");
        Child second = Child.start("create", host.toString(), "150")) {
      boolean alive = true;
      while (alive) {
        PrivateDirectory.sweep(posix, parent());
        alive = first.isAlive() || second.isAlive();
      }
      assertThat(first.line()).isEqualTo("done");
      assertThat(second.line()).isEqualTo("done");
    }
    PrivateDirectory.sweep(posix, parent());
    assertThat(host).isEmptyDirectory();
  }

  @Test
  void twoSweepersShareTheWork() throws InterruptedException {
    for (int i = 0; i < 20; i++) {
      Trees.sh(
          host,
          "umask 077; mkdir -p $1/workspace/a $1/run; touch $1/lock $1/workspace/a/f",
          "zett-"
              + String.format("%012d", i)
                  .replace('0', 'a')
                  .replace('1', 'b')
                  .replaceAll("[89]", "c"));
    }
    Thread other = Thread.ofPlatform().start(() -> PrivateDirectory.sweep(posix, parent()));

    PrivateDirectory.sweep(posix, parent());

    other.join();
    assertThat(host).isEmptyDirectory();
  }

  @Test
  void whereThereAreNoLocksADirectoryCanBeMadeAndIsNeverSwept() {
    Posix lockless = InterposedPosix.failing(posix, "flock", Errno.EOPNOTSUPP);
    PrivateDirectory made = PrivateDirectory.create(lockless, parent());

    assertThat(PrivateDirectory.sweep(lockless, parent())).isEmpty();

    assertThat(made.workspace().toPath()).isDirectory();
    assertThat(made.delete().complete()).isTrue();
  }
}
