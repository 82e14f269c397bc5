package io.zett.sandbox.cases.ending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.cases.outside.ChildJvm;
import io.zett.sandbox.cases.outside.Programs;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** K02: a JVM that is pid 1, as in a container, and must reap whoever loses its parent. */
class FirstProcessTest {
  @TempDir Path temporary;

  @Test
  void commandsLeaveNoZombiesToAJvmThatIsTheFirstProcess() {
    // Another user could have one only where nobody else is mapped, and root's files are nobody's.
    assumeTrue(Programs.isRoot(), "a pid namespace with an ordinary user id map needs root");
    String[] unshare = {"unshare", "--fork", "--pid", "--mount-proc"};
    assumeTrue(
        Programs.tried("unshare", "--fork", "--pid", "--mount-proc", "true").status() == 0,
        "unshare(1) may make a pid namespace with a /proc of its own");
    try (ChildJvm jvm =
        ChildJvm.of(FirstProcess.class).wrapper(unshare).temporary(temporary).start()) {
      assertThat(jvm.lines()).containsExactly("pid 1", "alone");
      assertThat(jvm.await()).isZero();
    }
  }
}
