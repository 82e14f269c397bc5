package io.zett.sandbox.cases.shortage;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.cases.outside.ChildJvm;
import io.zett.sandbox.cases.outside.Possessions;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The descriptor table is full, or nearly so, at whichever step. */
class DescriptorsTest {
  @TempDir Path temporary;

  @Test
  void aLackOfDescriptorsIsToldAndLeavesNothing() {
    try (ChildJvm child =
        ChildJvm.of(FewDescriptors.class)
            .wrapper("prlimit", "--nofile=200:200")
            .temporary(temporary)
            .start()) {
      assertThat(child.lines()).containsExactly("told and worked");
      assertThat(child.await()).isZero();
    }
    assertThat(Possessions.entries(temporary))
        .noneMatch(path -> path.getFileName().toString().startsWith("zett-"));
  }
}
