package io.zett.sandbox.cases.surroundings;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.cases.outside.ChildJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the library does under the name that a system gives itself. */
class OtherSystemsTest {
  @TempDir Path workspace;

  private List<String> openedOn(String text, String... options) {
    try (ChildJvm child =
        ChildJvm.of(Guest.class).options(options).start(workspace.toString(), text)) {
      List<String> lines = child.lines();
      assertThat(child.await()).as(lines.toString()).isZero();
      return lines;
    }
  }

  /** Workflows run it on other systems. */
  @Test
  void whereThisRunsItIsolatesOrSaysThatItDoesNot() {
    String name = System.getProperty("os.name");
    boolean isolates = name.equals("Linux") || name.equals("Mac OS X");
    assertThat(openedOn("echo ran")).contains("isolated " + isolates, "exit 0", "out ran");
  }
}
