package io.zett.sandbox.cases.confinement;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.zett.sandbox.SandboxSession;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What belongs to the kernel is no place for a rule: it is refused before anything starts. */
class KernelAreasTest {

  @ParameterizedTest
  @ValueSource(strings = {"/proc", "/proc/self", "/sys", "/sys/fs/cgroup", "/dev"})
  void nothingOfTheKernelsCanBeMadeWritable(String path) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SandboxSession.builder().writable(Path.of(path)).open())
        .withMessageStartingWith("writable: " + path);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SandboxSession.builder().workspace(Path.of(path)).open())
        .withMessageStartingWith("workspace: " + path);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/proc/cpuinfo", "/proc", "/dev/null", "/dev/missing"})
  void aRuleForWhatEachSandboxHasOfItsOwnIsRefusedAndNotIgnored(String path) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SandboxSession.builder().denyRead(Path.of(path)).open())
        .withMessageStartingWith("denyRead: " + path);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SandboxSession.builder().denyWrite(Path.of(path)).open())
        .withMessageStartingWith("denyWrite: " + path);
  }
}
