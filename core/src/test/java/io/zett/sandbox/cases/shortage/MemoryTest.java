package io.zett.sandbox.cases.shortage;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.cases.outside.ChildJvm;
import io.zett.sandbox.cases.outside.Possessions;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The JVM's memory is used up by what commands write. */
class MemoryTest {
  @TempDir Path temporary;

  @Test
  void outputThatThereIsNoMemoryForIsToldAndTheLoopLivesOn() {
    try (ChildJvm child =
        ChildJvm.of(LittleMemory.class).options("-Xmx64m").temporary(temporary).start()) {
      assertThat(child.lines()).containsExactly("told");
      assertThat(child.await()).isZero();
    }
    assertThat(Possessions.entries(temporary))
        .noneMatch(path -> path.getFileName().toString().startsWith("zett-"));
  }
}
