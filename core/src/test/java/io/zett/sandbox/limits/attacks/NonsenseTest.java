package io.zett.sandbox.limits.attacks;

import static io.zett.sandbox.limits.attacks.Limited.assertUnharmed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Limits at their edges: refused with the option's name, or kept as asked. */
@ExtendWith(OuterGuard.class)
class NonsenseTest {
  static Stream<Arguments> nonsense() {
    return Stream.of(
        refused("memory", builder -> builder.memory(0)),
        refused("memory", builder -> builder.memory(-1)),
        refused("memory", builder -> builder.memory(1)),
        refused("memory", builder -> builder.memory(Long.MAX_VALUE)),
        refused("memory", builder -> builder.memory("-5M")),
        refused("memory", builder -> builder.memory("9999999999T")),
        refused("cpus", builder -> builder.cpus(0)),
        refused("cpus", builder -> builder.cpus(-1)),
        refused("cpus", builder -> builder.cpus(0.001)),
        refused("cpus", builder -> builder.cpus(1e9)),
        refused("cpus", builder -> builder.cpus(Double.NaN)),
        refused("cpus", builder -> builder.cpus(Double.POSITIVE_INFINITY)),
        refused("cpuSeconds", builder -> builder.cpuSeconds(0)),
        refused("cpuSeconds", builder -> builder.cpuSeconds(Long.MAX_VALUE)),
        refused("processes", builder -> builder.processes(0)),
        refused("processes", builder -> builder.processes(1)),
        refused("processes", builder -> builder.processes(Integer.MAX_VALUE)),
        refused("maxFileSize", builder -> builder.maxFileSize(-1)),
        refused("openFiles", builder -> builder.openFiles(0)),
        refused("openFiles", builder -> builder.openFiles(Integer.MAX_VALUE)),
        refused("scratchSize", builder -> builder.scratchSize(0)),
        refused("timeout", builder -> builder.timeout(Duration.ZERO)),
        refused("timeout", builder -> builder.timeout(Duration.ofSeconds(-1))));
  }

  private static Arguments refused(String option, UnaryOperator<SandboxSession.Builder> nonsense) {
    return Arguments.of(option, nonsense);
  }

  @ParameterizedTest(name = "{0} {index}")
  @MethodSource("nonsense")
  void nonsenseIsRefusedByTheOptionsName(
      String option, UnaryOperator<SandboxSession.Builder> nonsense) {
    assertThatThrownBy(() -> nonsense.apply(SandboxSession.builder()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(option);
  }

  @Test
  void theLeastOfEverythingRunsSomething() {
    SandboxSession.Builder least =
        Limited.session()
            .memory(4L << 20)
            .cpus(0.01)
            .cpuSeconds(1)
            .processes(8)
            .maxFileSize(1)
            .openFiles(16)
            .scratchSize(4096);
    try (SandboxSession session = least.open()) {
      SandboxResult result = session.run("echo alive");
      assertUnharmed(result);
      assertThat(result.stdout()).isEqualTo("alive\n");
    }
  }

  @Test
  void theMostOfEverythingIsLikeNoLimit() {
    SandboxSession.Builder most =
        Limited.session()
            .memory(1L << 60)
            .cpus(8192)
            .cpuSeconds(1_000_000_000)
            .processes(1 << 22)
            .maxFileSize(1L << 60)
            .openFiles(1_073_741_816)
            .timeout(Duration.ofSeconds(Long.MAX_VALUE));
    try (SandboxSession session = most.open()) {
      SandboxResult result = session.run("head -c 2M /dev/zero > f; ls -l f | wc -l");
      assertUnharmed(result);
      assertThat(result.stdout()).isEqualTo("1\n");
      assertUnharmed(session.run(SandboxCommand.of("true").noTimeout()));
    }
  }
}
