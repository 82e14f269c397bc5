package io.zett.sandbox.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.faults.CallCounter;
import io.zett.sandbox.faults.InterposedPosix;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreeDeletionScaleTest {

  private final Posix posix = Posix.system();

  @TempDir Path host;
  private Path tree;

  @BeforeEach
  void makeTree() {
    tree = host.resolve("tree");
    Trees.sh(host, "mkdir tree");
  }

  @Test
  void manyFilesAndASparseTerabyteAreGoneInSeconds() {
    // Some file systems have no file of this size; then it is left out.
    Trees.sh(tree, "mkdir d; cd d; seq 50000 | xargs touch; truncate -s 1T s || rm -f s");
    Duration bound = longer(Duration.ofSeconds(20), tenfoldOfRm().multipliedBy(3));
    long start = System.nanoTime();

    assertThat(Trees.delete(posix, tree).remaining()).isEmpty();

    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(bound);
    assertThat(Trees.exists(tree)).isFalse();
  }

  /** What {@code rm -rf} would need for ten times as many, so that a busy disk is no failure. */
  private Duration tenfoldOfRm() {
    Path few = host.resolve("few");
    Trees.sh(host, "mkdir few; cd few; seq 5000 | xargs touch");
    long start = System.nanoTime();
    Trees.sh(host, "rm -rf few");
    assertThat(Trees.exists(few)).isFalse();
    return Duration.ofNanos(System.nanoTime() - start).multipliedBy(10);
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) > 0 ? a : b;
  }

  @Test
  void depthCostsFewDescriptors() {
    makeDeep(1000, "d", 0700);
    CallCounter counting = new CallCounter();

    assertThat(Trees.delete(counting.over(posix), tree).remaining()).isEmpty();

    assertThat(Trees.exists(tree)).isFalse();
    assertThat(counting.mostOpen()).isLessThan(50);
    assertThat(counting.open()).isZero();
  }

  @Test
  void twentyThousandLevelsAreDeletedByASmallJvm() {
    makeDeep(20_000, "n".repeat(100), 0700);

    try (Child child =
        Child.start(List.of(), List.of("-Xmx16m", "-Xss512k"), "delete", tree.toString())) {
      assertThat(child.line()).isEqualTo("removed 40002");
      assertThat(child.end()).isZero();
    }
    assertThat(Trees.exists(tree)).isFalse();
  }

  @Test
  void aDeepTreeOfLockedDirectoriesIsDeleted() {
    makeDeep(500, "d", 0);

    assertThat(Trees.delete(posix, tree).remaining()).isEmpty();
    assertThat(Trees.exists(tree)).isFalse();
  }

  @Test
  void aDeepTreeIsDeletedWhereNothingCanBeMovedUp() {
    makeDeep(200, "d", 0700);
    Posix full = InterposedPosix.failing(posix, "renameat2", Errno.ENOSPC);

    assertThat(Trees.delete(full, tree).remaining()).isEmpty();
    assertThat(Trees.exists(tree)).isFalse();
  }

  @Test
  void whatLiesTooDeepWhereNothingCanBeMovedUpIsReported() {
    makeDeep(400, "d", 0700);
    Posix full = InterposedPosix.failing(posix, "renameat2", Errno.ENOSPC);

    Deletion deletion = Trees.delete(full, tree);

    assertThat(deletion.remaining()).extracting(Remaining::errno).containsExactly(Errno.EMFILE);
    assertThat(Trees.delete(posix, tree).complete()).isTrue();
  }

  @Test
  void manyDirectoriesBelowTheDepthThatIsMovedUpAreDeleted() {
    String deep = "d/".repeat(TreeDeletion.USUAL_DEPTH);
    Trees.sh(
        tree,
        "mkdir -p $1; cd $1; for i in $(seq 300); do echo $i/a/b e$i; done | xargs mkdir -p;"
            + " for i in $(seq 300); do echo $i/f $i/a/b/g; done | xargs touch",
        deep);

    assertThat(Trees.delete(posix, tree).remaining()).isEmpty();
    assertThat(Trees.exists(tree)).isFalse();
  }

  @Test
  void whatResistsInADeepTreeIsReportedOnce() {
    makeDeep(100, "d", 0700);
    Posix resisting =
        InterposedPosix.failing(
            posix,
            "unlinkat",
            call -> new String((byte[]) call.argument(1), StandardCharsets.UTF_8).equals("last"),
            Errno.EPERM);

    Deletion deletion = Trees.delete(resisting, tree);

    assertThat(deletion.remaining()).hasSize(1);
    Remaining kept = deletion.remaining().getFirst();
    assertThat(kept.errno()).isEqualTo(Errno.EPERM);
    assertThat(posix.lstat(kept.path())).as("it is where the report says").isNotNull();
    assertThat(Trees.delete(posix, tree).complete()).isTrue();
  }

  @Test
  void aListingThatSkipsEntriesIsReadAgain() {
    Trees.sh(tree, "mkdir a b; seq 2000 | xargs touch; cd a; seq 500 | xargs touch");
    int[] batches = {0};
    Posix skipping =
        InterposedPosix.over(
            posix,
            call -> {
              Object result = call.proceed();
              return result instanceof List<?> entries && batches[0]++ < 6 && entries.size() > 2
                  ? entries.subList(0, entries.size() / 2)
                  : result;
            });

    assertThat(Trees.delete(skipping, tree).remaining()).isEmpty();
    assertThat(Trees.exists(tree)).isFalse();
  }

  /** Each level holds a file beside the next directory; paths grow far beyond PATH_MAX. */
  private void makeDeep(int levels, String name, int mode) {
    // From the bottom up: names at a great depth are slow on some kernels.
    Trees.perl(
        tree,
        """
        my ($levels, $name, $mode) = @ARGV;
        mkdir 'now' or die; open(F, '>', 'now/last') or die; close F;
        for (2..$levels) {
          mkdir 'next' or die; open(F, '>', 'next/f') or die; close F;
          rename 'now', "next/$name" or die $!; rename 'next', 'now' or die $!;
        }
        rename 'now', $name or die; open(F, '>', 'f') or die;
        exit 0 if $mode == 0700;
        for (1..$levels) { chdir $name or die; }
        for (1..$levels) { chmod $mode, '.'; chdir '..' or last; }
        """,
        Integer.toString(levels),
        name,
        Integer.toString(mode));
  }
}
