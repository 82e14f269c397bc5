package io.zett.sandbox.cases.ending;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.cases.outside.ChildJvm;
import io.zett.sandbox.cases.outside.Programs;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** H08: whoever gets the number of a process that was ended is left alone. */
class ReusedNumbersTest {
  @TempDir Path temporary;

  /** In a user namespace, which others need, root's launcher is nobody's, and is not trusted. */
  static List<String> backends() {
    return Programs.isRoot() ? List.of("bubblewrap", "passthrough") : List.of("passthrough");
  }

  @ParameterizedTest
  @MethodSource("backends")
  void aProcessWithTheNumberOfAnEndedOneLivesOn(String backend) {
    String namespaces = Programs.isRoot() ? "-pf" : "-Urpf";
    try (ChildJvm child =
        ChildJvm.of(ReusedNumbers.class)
            .wrapper("unshare", namespaces, "--kill-child", "--mount-proc")
            .temporary(temporary)
            .start(backend)) {
      assertThat(child.lines()).containsExactly("reused, 0 dead");
      assertThat(child.await()).isZero();
    }
  }
}
