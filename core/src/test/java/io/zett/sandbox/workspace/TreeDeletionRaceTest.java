package io.zett.sandbox.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.faults.InterposedPosix;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process beside the deletion exchanges directories for links out of the tree.
 *
 * <p>It names none of them through another: its own call, halted between its two paths while the
 * next round's tree is made, would then exchange what must stay.
 */
class TreeDeletionRaceTest {

  private static final String ATTACKER =
      """
      my ($rename) = (`uname -m` =~ /aarch64/) ? 276 : 316;
      $| = 1; print "ready\\n";
      my $done = 0;
      until (-e 'stop') {
        for my $i (0..7) {
          for my $in ('tree', 'tree/s', 'tree/s/s') {
            $done++ if syscall($rename, -100, "$in/d$i", -100, "$in/l$i", 2) == 0;
          }
        }
      }
      print "$done\\n";
      """;

  private final Posix posix = Posix.system();

  @TempDir Path host;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nothingOutsideTheTreeIsTouched(boolean openat2) throws IOException {
    int rounds = openat2 ? 100 : 25;
    Posix used = openat2 ? posix : InterposedPosix.failing(posix, "openat2", Errno.ENOSYS);
    Path keep = Files.createDirectories(host.resolve("keep"));
    Trees.sh(
        keep, "mkdir -p d0 d1/d1 s; for i in $(seq 30); do echo $i > f$i; done; touch d0/f s/f");
    Map<String, Object> before = Trees.snapshot(keep);
    Path tree = host.resolve("tree");
    try (Child attacker =
        Child.program(
            List.of(
                "sh", "-c", "cd \"$1\" && exec perl -e \"$2\"", "sh", host.toString(), ATTACKER))) {
      assertThat(attacker.line()).isEqualTo("ready");
      for (int round = 0; round < rounds; round++) {
        makeTree(tree, keep);
        Deletion deletion = Trees.delete(used, tree);
        assertThat(deletion.remaining()).as("round %d", round).isEmpty();
        assertThat(Trees.exists(tree)).isFalse();
      }
      Files.createFile(host.resolve("stop"));
      assertThat(Integer.parseInt(attacker.line())).as("exchanges").isGreaterThan(rounds);
    }

    assertThat(Trees.snapshot(keep)).isEqualTo(before);
  }

  private void makeTree(Path tree, Path keep) throws IOException {
    for (Path in : List.of(tree, tree.resolve("s"), tree.resolve("s/s"))) {
      Files.createDirectory(in);
      for (int i = 0; i < 8; i++) {
        Path d = Files.createDirectory(in.resolve("d" + i));
        Files.createFile(d.resolve("f"));
        Files.createFile(Files.createDirectory(d.resolve("d")).resolve("f1"));
        Files.createSymbolicLink(d.resolve("l"), keep);
        // The attacker begins with this pair as soon as both are there.
        Files.createSymbolicLink(in.resolve("l" + i), keep);
      }
    }
  }
}
