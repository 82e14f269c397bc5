package io.zett.sandbox.cases.watching;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.cases.outside.ChildJvm;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The library writes nothing to the caller's streams, and needs nothing of the JDK but its base.
 */
class QuietTest {
  @TempDir Path temporary;

  private ChildJvm.Builder quiet() {
    return ChildJvm.of(QuietLife.class)
        .wrapper("/bin/sh", "-c", "exec \"$@\" 2>&1", "sh")
        .temporary(temporary);
  }

  @Test
  void aJvmWithoutAnyConfigurationPrintsNothing() {
    try (ChildJvm child = quiet().start()) {
      assertThat(child.lines()).isEmpty();
      assertThat(child.await()).isZero();
    }
  }

  @Test
  void anImageWithTheBaseModuleAloneIsEnough() {
    try (ChildJvm child = quiet().options("--limit-modules=java.base").start("jdk.jfr")) {
      assertThat(child.lines()).isEmpty();
      assertThat(child.await()).isZero();
    }
  }

  /** K07: whoever believes to be in a sandbox and is not learns it where warnings are read. */
  @Test
  void withoutIsolationOneWarningIsLogged() {
    try (ChildJvm child =
        ChildJvm.of(AnnouncedLife.class)
            .wrapper("/bin/sh", "-c", "exec \"$@\" 2>&1", "sh")
            .options("-Djava.util.logging.SimpleFormatter.format=%4$s %3$s: %5$s%n")
            .temporary(temporary)
            .start()) {
      assertThat(child.lines())
          .satisfiesExactly(
              first -> assertThat(first).isEqualTo("until now nothing"),
              second ->
                  assertThat(second)
                      .matches("[A-Z]+ io.zett.sandbox: .*passthrough isolates nothing.*"));
      assertThat(child.await()).isZero();
    }
  }
}
