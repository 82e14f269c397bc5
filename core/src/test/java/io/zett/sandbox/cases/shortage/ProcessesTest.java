package io.zett.sandbox.cases.shortage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.cases.outside.ChildJvm;
import io.zett.sandbox.cases.outside.Eventually;
import io.zett.sandbox.cases.outside.Possessions;
import io.zett.sandbox.cases.outside.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The process table is full, or nearly so, at whichever step. */
class ProcessesTest {
  private static final Path TREE = Path.of("/sys/fs/cgroup/pids");

  @TempDir Path temporary;

  @Test
  void aControlGroupThatIsFullIsTold() throws IOException {
    assumeTrue(
        Programs.isRoot() && Files.isWritable(TREE),
        "a pids group of version 1 is root's to make; users have the other test");
    Path group = Files.createDirectory(TREE.resolve("few-" + UUID.randomUUID()));
    try {
      String enter = "echo $$ > " + group + "/cgroup.procs && exec \"$@\"";
      assertTold(child().wrapper("sh", "-c", enter, "sh").start(group.toString()));
    } finally {
      remove(group);
    }
  }

  /** The last task of a group may take a moment to leave it. */
  private static void remove(Path group) {
    Eventually.within(Duration.ofSeconds(20), group + " is empty", () -> group.toFile().delete());
  }

  @Test
  void aUserWhoMayStartNoMoreIsTold() {
    assumeTrue(!Programs.isRoot(), "RLIMIT_NPROC does not bind root");
    assertTold(child().start());
  }

  /** The JVM tells on its standard output, too, that it can start no thread. */
  private ChildJvm.Builder child() {
    return ChildJvm.of(FewProcesses.class)
        .options("-Xlog:disable", "-Xlog:all=error:stderr")
        .temporary(temporary);
  }

  private void assertTold(ChildJvm started) {
    try (ChildJvm child = started) {
      assertThat(child.lines()).containsExactly("told and worked");
      assertThat(child.await()).isZero();
    }
    assertThat(Possessions.entries(temporary))
        .noneMatch(path -> path.getFileName().toString().startsWith("zett-"));
  }
}
