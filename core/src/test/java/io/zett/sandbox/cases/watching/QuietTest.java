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
}
