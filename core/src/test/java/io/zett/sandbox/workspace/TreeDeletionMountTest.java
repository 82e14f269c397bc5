package io.zett.sandbox.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.faults.InterposedPosix;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mounts are made in a private mount namespace of a child only. */
class TreeDeletionMountTest {

  private final Posix posix = Posix.system();

  @TempDir Path host;

  @ParameterizedTest
  @ValueSource(strings = {"delete", "delete-old-kernel"})
  void aMountIsNeitherEnteredNorTaken(String how) throws IOException, InterruptedException {
    List<String> unshare = new ArrayList<>(List.of("unshare", "-m"));
    if (posix.geteuid() != 0) {
      unshare.add("-r");
    }
    List<String> probe = new ArrayList<>(unshare);
    probe.add("true");
    assumeTrue(
        new ProcessBuilder(probe).start().waitFor() == 0, "this user may not make a namespace");
    Path keep = Files.createDirectory(host.resolve("keep"));
    Files.writeString(keep.resolve("f"), "precious");
    Path tree = Files.createDirectory(host.resolve("tree"));
    Trees.sh(tree, "mkdir -p a/m b c/d; touch a/f b/g c/d/h mf; chmod 0 a/m");
    Map<String, Object> before = Trees.snapshot(keep);
    String mounts =
        "mount --bind \"$KEEP\" \"$TREE/a/m\"; mount --bind \"$KEEP/f\" \"$TREE/mf\";"
            + " mount -t tmpfs none \"$TREE/c/d\"; touch \"$TREE/c/d/x\"; exec \"$@\"";
    unshare.addAll(List.of("env", "KEEP=" + keep, "TREE=" + tree, "sh", "-euc", mounts, "sh"));

    List<String> lines = new ArrayList<>();
    try (Child child = Child.start(unshare, List.of(), how, tree.toString())) {
      for (String line = child.line(); !line.isEmpty(); line = child.line()) {
        lines.add(line);
      }
      assertThat(child.end()).isZero();
    }

    assertThat(lines)
        .containsExactlyInAnyOrder(
            tree + "/a/m: something is mounted there",
            tree + "/c/d: something is mounted there",
            tree + "/mf: Device or resource busy (EBUSY)",
            "removed 3");
    assertThat(Trees.snapshot(keep)).isEqualTo(before);
    assertThat(Trees.delete(posix, tree).complete()).isTrue();
  }

  @Test
  void anOldKernelsDeletionFollowsNoLinkEither() throws IOException {
    Path keep = Files.createDirectory(host.resolve("keep"));
    Files.writeString(keep.resolve("f"), "precious");
    Path tree = Files.createDirectory(host.resolve("tree"));
    Trees.sh(
        tree, "ln -s \"$1\" link; mkdir -p d/e; ln -s \"$1\" d/e/l; chmod 0 d", keep.toString());
    Map<String, Object> before = Trees.snapshot(keep);
    Posix old = InterposedPosix.failing(posix, "openat2", Errno.ENOSYS);

    assertThat(Trees.delete(old, tree).remaining()).isEmpty();

    assertThat(Trees.exists(tree)).isFalse();
    assertThat(Trees.snapshot(keep)).isEqualTo(before);
  }
}
