package io.zett.sandbox.cases.ending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.cases.outside.ChildJvm;
import io.zett.sandbox.cases.outside.Programs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** K02: a JVM that is pid 1, as in a container, and must reap whoever loses its parent. */
class FirstProcessTest {
  @TempDir Path temporary;

  @Test
  void commandsLeaveNoZombiesToAJvmThatIsTheFirstProcess() {
    List<String> unshare = new ArrayList<>(List.of("unshare", "--fork", "--pid", "--mount-proc"));
    if (!Programs.isRoot()) {
      unshare.addAll(List.of("--user", "--map-root-user"));
    }
    List<String> trial = new ArrayList<>(unshare);
    trial.add("true");
    assumeTrue(
        Programs.tried(trial.toArray(String[]::new)).status() == 0,
        "unshare(1) may make a pid namespace with a /proc of its own");
    try (ChildJvm jvm =
        ChildJvm.of(FirstProcess.class)
            .wrapper(unshare.toArray(String[]::new))
            .temporary(temporary)
            .start()) {
      assertThat(jvm.lines()).containsExactly("pid 1", "alone");
      assertThat(jvm.await()).isZero();
    }
  }
}
