package io.zett.sandbox.cases.shortage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.cases.outside.ChildJvm;
import io.zett.sandbox.cases.outside.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The disk that the sandbox's directory and the workspace are on has no bytes, or no files, left.
 */
class DiskTest {
  private static final String MOUNT =
      "mount -t tmpfs -o size=1m,nr_inodes=60 small \"$0\" && exec \"$@\"";

  @TempDir Path disk;

  @Test
  void aFullDiskIsToldAndIsNoCommandsOwnFailure() {
    String[] wrapper = {"unshare", "--mount", "sh", "-c", MOUNT, disk.toString()};
    assumeTrue(
        Programs.isRoot(),
        "a user may mount only in a user namespace, in which bubblewrap's owner is nobody to trust");
    assumeTrue(
        Programs.tried("unshare", "--mount", "sh", "-c", MOUNT, disk.toString(), "true").status()
            == 0,
        "no small disk can be mounted here");
    try (ChildJvm child =
        ChildJvm.of(FullDisk.class).wrapper(wrapper).temporary(disk).start(disk.toString())) {
      assertThat(child.lines()).containsExactly("told and worked", "[]");
      assertThat(child.await()).isZero();
    }
    assertThat(Files.exists(disk.resolve("own"))).isFalse();
  }
}
