package io.zett.sandbox.cases.surroundings;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.cases.outside.ChildJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A system on which nothing can be run: this one under another name, and the real ones. */
class OtherSystemsTest {
  @TempDir Path workspace;

  private List<String> openedOn(String... options) {
    try (ChildJvm child =
        ChildJvm.of(Guest.class).options(options).start(workspace.toString(), "echo > ran")) {
      List<String> lines = child.lines();
      assertThat(child.await()).as(lines.toString()).isZero();
      return lines;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Windows 11", "Mac OS X", "FreeBSD"})
  void openingIsRefusedWithTheReasonAndReportsSaySo(String name) {
    assertRefused(openedOn("-Dos.name=" + name));
  }

  /** Workflows run it on other systems. */
  @Test
  void whereThisRunsItIsLinuxOrRefused() {
    if (System.getProperty("os.name").equals("Linux")) {
      assertThat(openedOn()).contains("isolated true", "exit 0");
    } else {
      assertRefused(openedOn());
    }
  }

  private void assertRefused(List<String> lines) {
    assertThat(lines).contains("isolated false");
    assertThat(lines).anyMatch(line -> line.startsWith("problem "));
    assertThat(lines).anyMatch(line -> line.startsWith("fix ") && line.contains("Linux"));
    assertThat(lines).noneMatch(line -> line.startsWith("exit "));
    assertThat(workspace.resolve("ran")).doesNotExist();
  }
}
