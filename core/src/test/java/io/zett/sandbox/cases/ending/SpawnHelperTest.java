package io.zett.sandbox.cases.ending;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.cases.outside.ChildJvm;
import io.zett.sandbox.cases.outside.Programs;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** I14: the library starts processes itself, so what is wrong with the JDK's helper is not felt. */
class SpawnHelperTest {
  @TempDir Path temporary;

  @Test
  void aJdkWhoseHelperIsBrokenRunsCommands() {
    String helper = Path.of(System.getProperty("java.home"), "lib", "jspawnhelper").toString();
    // In the user namespace that others need for this, root's launcher is nobody's: not trusted.
    String backend = Programs.isRoot() ? "bubblewrap" : "passthrough";
    try (ChildJvm child =
        ChildJvm.of(WithoutSpawnHelper.class)
            .wrapper("bwrap", "--dev-bind", "/", "/", "--ro-bind", "/dev/null", helper)
            .temporary(temporary)
            .start(backend)) {
      assertThat(child.lines()).containsExactly("the JDK starts none", "ran");
      assertThat(child.await()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"POSIX_SPAWN", "VFORK", "FORK"})
  void theJdksWayToStartProcessesDoesNotMatter(String mechanism) {
    try (ChildJvm child =
        ChildJvm.of(OpenOnce.class)
            .options("-Djdk.lang.Process.launchMechanism=" + mechanism)
            .temporary(temporary)
            .start()) {
      assertThat(child.line()).isEqualTo("ran");
      assertThat(child.await()).isZero();
    }
  }
}
