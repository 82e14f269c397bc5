package io.zett.sandbox.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.faults.CallCounter;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreeDeletionTest {

  private final Posix posix = Posix.system();

  @TempDir Path host;
  private Path tree;
  private Path keep;

  @BeforeEach
  void makeTreeAndWhatMustStay() throws IOException {
    tree = Files.createDirectory(host.resolve("tree"));
    keep = Files.createDirectory(host.resolve("keep"));
    Files.writeString(keep.resolve("f"), "precious");
    Files.createDirectory(keep.resolve("d"));
  }

  @Test
  void linksAreRemovedAndWhatTheyLeadToIsLeftAlone() {
    Trees.sh(
        tree,
        "ln -s \"$1\" link; ln -s / r; ln -s \"$1/f\" fl; ln -s . loop; ln -s nowhere gone;"
            + " mkdir d; ln -s \"$1\" d/e; ln \"$1/f\" hard",
        keep.toString());
    Map<String, Object> before = Trees.snapshot(keep);

    Deletion deletion = Trees.delete(posix, tree);

    assertThat(deletion.complete()).isTrue();
    assertThat(deletion.removed()).isEqualTo(9);
    assertThat(Trees.exists(tree)).isFalse();
    assertThat(Trees.snapshot(keep)).isEqualTo(before);
  }

  @Test
  void aTreeThatIsItselfALinkIsUnlinkedNotFollowed() throws IOException {
    Files.delete(tree);
    Files.createSymbolicLink(tree, keep);

    assertThat(Trees.delete(posix, tree).complete()).isTrue();

    assertThat(Trees.exists(tree)).isFalse();
    assertThat(keep.resolve("f")).hasContent("precious");
  }

  @Test
  void aNameThatIsMissingIsNoError() throws IOException {
    Files.delete(tree);

    assertThat(Trees.delete(posix, tree)).isEqualTo(new Deletion(List.of(), 0));
  }

  @Test
  void aSingleFileIsATree() throws IOException {
    Files.delete(tree);
    Files.writeString(tree, "x");

    assertThat(Trees.delete(posix, tree)).isEqualTo(new Deletion(List.of(), 1));
  }

  @Test
  void theContentsGoAndTheDirectoryStays() {
    Trees.sh(tree, "mkdir -p a/b; touch a/b/c a/d e");
    int fd = Folders.open(posix, UnixPath.of(tree));

    Deletion deletion = TreeDeletion.deleteContents(posix, fd, UnixPath.of(tree));

    posix.close(fd);
    assertThat(deletion).isEqualTo(new Deletion(List.of(), 5));
    assertThat(tree).isEmptyDirectory();
  }

  @Test
  void directoriesThatTheirOwnerHasLockedAreRemoved() {
    Trees.sh(
        tree,
        "mkdir -p a/b/c go/mod 0/1/2 w; touch a/b/c/f go/mod/f 0/1/2/f w/f; ln -s \"$1\" a/l;"
            + " chmod 444 go/mod/f; chmod 555 a/b/c go/mod; chmod 000 a/b; chmod 111 a;"
            + " chmod 200 w; chmod 000 0/1/2 0/1 0; chmod 000 .",
        keep.toString());
    Map<String, Object> before = Trees.snapshot(keep);

    assertThat(Trees.delete(posix, tree).remaining()).isEmpty();

    assertThat(Trees.exists(tree)).isFalse();
    assertThat(Trees.snapshot(keep)).isEqualTo(before);
  }

  @Test
  void aDirectoryThatCanBeListedButNotEnteredIsRemoved() {
    Trees.sh(tree, "mkdir -p a/b; touch a/f a/b/f; chmod 400 a");

    assertThat(Trees.delete(posix, tree).remaining()).isEmpty();
    assertThat(Trees.exists(tree)).isFalse();
  }

  @Test
  void everyNameIsRemovedWhateverBytesItHas() {
    makeOddNames();

    assertThat(Trees.delete(posix, tree).remaining()).isEmpty();
    assertThat(Trees.exists(tree)).isFalse();
  }

  @Test
  void everyNameIsRemovedInTheLocaleC() {
    makeOddNames();

    assertThat(Child.start("delete", tree.toString()).line()).isEqualTo("removed 15");
    assertThat(Trees.exists(tree)).isFalse();
  }

  private void makeOddNames() {
    Trees.perl(
        tree,
        "for (\"\\xff\\xfe\", \"a\\nb\", ' ', '-rf', 'x' x 255, \"\\xed\\xa0\\x80\", '...') {"
            + " mkdir $_ or die; open(F, '>', \"$_/$_\") or die $!; }");
  }

  @Test
  void pipesAndSocketsAreRemovedWithoutBeingOpened() {
    Trees.perl(
        tree,
        "use POSIX; use Socket; POSIX::mkfifo('pipe', 0600) or die;"
            + " socket(S, PF_UNIX, SOCK_STREAM, 0) or die;"
            + " bind(S, pack_sockaddr_un('socket')) or die $!");

    assertThat(Trees.delete(posix, tree)).isEqualTo(new Deletion(List.of(), 3));
  }

  @Test
  void anImmutableFileIsReportedAndEverythingElseRemoved() {
    assumeTrue(posix.geteuid() == 0, "only root may make a file immutable");
    Trees.sh(tree, "mkdir -p a/b z; touch a/b/f a/b/g a/h z/i; chattr +i a/b/f");
    try {
      Deletion deletion = Trees.delete(posix, tree);

      assertThat(deletion.remaining())
          .containsExactly(new Remaining(UnixPath.of(tree.resolve("a/b/f")), Errno.EPERM));
      assertThat(deletion.remaining().getFirst().toString())
          .isEqualTo(tree + "/a/b/f: Operation not permitted (EPERM)");
      assertThat(Trees.names(tree)).containsExactly("a");
      assertThat(Trees.names(tree.resolve("a"))).containsExactly("b");
      assertThat(Trees.names(tree.resolve("a/b"))).containsExactly("f");
    } finally {
      Trees.sh(tree, "chattr -i a/b/f");
    }
    assertThat(Trees.delete(posix, tree).complete()).isTrue();
  }

  @Test
  void anAppendOnlyDirectoryKeepsItsContentsAndNothingElse() {
    assumeTrue(posix.geteuid() == 0, "only root may make a directory append-only");
    Trees.sh(tree, "mkdir -p a/b; touch a/f a/g h; chattr +a a");
    try {
      Deletion deletion = Trees.delete(posix, tree);

      assertThat(deletion.remaining())
          .extracting(kept -> kept.path().name())
          .containsExactlyInAnyOrder(
              "b".getBytes(StandardCharsets.US_ASCII),
              "f".getBytes(StandardCharsets.US_ASCII),
              "g".getBytes(StandardCharsets.US_ASCII));
      assertThat(Trees.names(tree)).containsExactly("a");
    } finally {
      Trees.sh(tree, "chattr -a a");
    }
  }

  @Test
  void noDescriptorIsLeftOpen() {
    Trees.sh(tree, "mkdir -p a/b/c/d; touch a/b/c/f; ln -s / a/l; chmod 0 a/b");
    CallCounter counting = new CallCounter();

    Trees.delete(counting.over(posix), tree);

    assertThat(counting.open()).isZero();
  }

  @Test
  void aFileCostsOneCall() {
    Trees.sh(tree, "seq 1000 | xargs touch");
    CallCounter counting = new CallCounter();

    assertThat(Trees.delete(counting.over(posix), tree).complete()).isTrue();

    assertThat(counting.count("unlinkat")).isEqualTo(1001);
    assertThat(counting.total()).as("%s", counting).isLessThan(1020);
  }
}
