package io.zett.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PolicyOptionsTest {

  private static Arguments nonsense(
      String option, String value, Consumer<PolicyOptions<?>> call, String mend) {
    return Arguments.of(option, value, Named.of(option + " " + value, call), mend);
  }

  static Stream<Arguments> nonsense() {
    String out = "for no limit";
    return Stream.of(
        nonsense("memory", "0 bytes", o -> o.memory(0), out),
        nonsense("memory", "0 bytes", o -> o.memory("0"), out),
        nonsense("memory", "-1 bytes", o -> o.memory(-1), out),
        nonsense("memory", "1 byte?", o -> o.memory(1), "\"1M\" is 1 MiB"),
        nonsense("memory", "512 bytes?", o -> o.memory(512), "\"512M\" is 512 MiB"),
        nonsense("memory", "512 bytes?", o -> o.memory("512"), "\"512M\" is 512 MiB"),
        nonsense("memory", "1 MiB?", o -> o.memory("1M"), "The least is 4 MiB"),
        nonsense("memory", "4194303", o -> o.memory(4194303), "The least is 4 MiB"),
        nonsense("memory", "-9223372036854775808", o -> o.memory(Long.MIN_VALUE), out),
        nonsense("memory", "9223372036854775807", o -> o.memory(Long.MAX_VALUE), out),
        nonsense("memory", "\"8E\"", o -> o.memory("8E"), "more bytes than any machine has"),
        nonsense("memory", "\"-1\"", o -> o.memory("-1"), "cannot be negative"),
        nonsense("memory", "\"lots\"", o -> o.memory("lots"), "\"512M\""),
        nonsense("memory", "\"512X\"", o -> o.memory("512X"), "K, M, G"),
        nonsense("cpus", "0.0", o -> o.cpus(0), "0.01 to 8192"),
        nonsense("cpus", "0.001", o -> o.cpus(0.001), out),
        nonsense("cpus", "-1.0", o -> o.cpus(-1), out),
        nonsense("cpus", "1.0E9", o -> o.cpus(1e9), out),
        nonsense("cpus", "NaN", o -> o.cpus(Double.NaN), out),
        nonsense("cpus", "Infinity", o -> o.cpus(Double.POSITIVE_INFINITY), out),
        nonsense("cpuSeconds", "0", o -> o.cpuSeconds(0), out),
        nonsense("cpuSeconds", "-1", o -> o.cpuSeconds(-1), out),
        nonsense("cpuSeconds", "9223372036854775807", o -> o.cpuSeconds(Long.MAX_VALUE), out),
        nonsense("processes", "0", o -> o.processes(0), "the least, 8"),
        nonsense("processes", "1", o -> o.processes(1), out),
        nonsense("processes", "7", o -> o.processes(7), out),
        nonsense("processes", "-5", o -> o.processes(-5), out),
        nonsense("processes", "2147483647", o -> o.processes(Integer.MAX_VALUE), out),
        nonsense("maxFileSize", "0 bytes", o -> o.maxFileSize(0), out),
        nonsense("maxFileSize", "-1 bytes", o -> o.maxFileSize(-1), out),
        nonsense("maxFileSize", "9223372036854775807", o -> o.maxFileSize(Long.MAX_VALUE), out),
        nonsense("maxFileSize", "\"1 X\"", o -> o.maxFileSize("1 X"), "K, M, G"),
        nonsense("openFiles", "0", o -> o.openFiles(0), "the least, 16"),
        nonsense("openFiles", "15", o -> o.openFiles(15), out),
        nonsense("openFiles", "2147483647", o -> o.openFiles(Integer.MAX_VALUE), out),
        nonsense("scratchSize", "0 bytes", o -> o.scratchSize(0), out),
        nonsense("scratchSize", "64 bytes?", o -> o.scratchSize("64"), "\"64M\" is 64 MiB"),
        nonsense("scratchSize", "9223372036854775807", o -> o.scratchSize(Long.MAX_VALUE), out),
        nonsense("timeout", "PT0S", o -> o.timeout(Duration.ZERO), "noTimeout()"),
        nonsense("timeout", "PT-1S", o -> o.timeout(Duration.ofSeconds(-1)), "noTimeout()"),
        nonsense("maxConcurrent", "0", o -> o.maxConcurrent(0), "the least is 1"),
        nonsense("maxConcurrent", "-3", o -> o.maxConcurrent(-3), "the least is 1"));
  }

  @ParameterizedTest(name = "{2}")
  @MethodSource("nonsense")
  void nonsenseIsRefusedNamingOptionValueAndMend(
      String option, String value, Consumer<PolicyOptions<?>> call, String mend) {
    for (PolicyOptions<?> builder : bothBuilders()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> call.accept(builder))
          .withMessageStartingWith(option + ": ")
          .withMessageContaining(value)
          .withMessageContaining(mend);
    }
  }

  @Test
  @SuppressWarnings("NullAway") // callers without the checker do it
  void nullIsRefusedNamingTheOption() {
    Map<String, Consumer<PolicyOptions<?>>> calls =
        Map.of(
            "memory", o -> o.memory(null),
            "maxFileSize", o -> o.maxFileSize(null),
            "scratchSize", o -> o.scratchSize(null),
            "timeout", o -> o.timeout(null));
    calls.forEach(
        (option, call) -> {
          for (PolicyOptions<?> builder : bothBuilders()) {
            assertThatNullPointerException()
                .isThrownBy(() -> call.accept(builder))
                .withMessage(option);
          }
        });
    assertThatNullPointerException()
        .isThrownBy(() -> SandboxCommand.shell(null))
        .withMessage("the shell text");
    assertThatNullPointerException()
        .isThrownBy(() -> SandboxCommand.of("true").cwd(null))
        .withMessage("cwd");
    assertThatNullPointerException()
        .isThrownBy(() -> Limit.of(null))
        .withMessageContaining("limit");
  }

  @Test
  void aRefusedValueLeavesTheBuilderAsItWas() {
    SandboxPolicy.Builder builder = SandboxPolicy.builder().memory("64M");
    assertThatIllegalArgumentException().isThrownBy(() -> builder.memory(0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.env(Map.of("FINE", "1", "BAD=", "2")));
    assertThat(builder.build()).isEqualTo(SandboxPolicy.builder().memory("64M").build());
  }

  @Test
  void theLeastAndTheMostAreAccepted() {
    SandboxPolicy least =
        SandboxPolicy.builder()
            .memory("4M")
            .cpus(0.01)
            .cpuSeconds(1)
            .processes(8)
            .maxFileSize(1)
            .openFiles(16)
            .scratchSize("4K")
            .timeout(Duration.ofNanos(1))
            .maxConcurrent(1)
            .build();
    assertThat(least.memory()).hasValue(4 << 20);
    assertThat(least.maxFileSize()).hasValue(1);
    SandboxPolicy most =
        SandboxPolicy.builder()
            .memory("1E")
            .cpus(8192)
            .cpuSeconds(1_000_000_000)
            .processes(4_194_304)
            .maxFileSize("1E")
            .openFiles(1_073_741_816)
            .scratchSize("1E")
            .maxConcurrent(Integer.MAX_VALUE)
            .build();
    assertThat(most.memory()).hasValue(1L << 60);
  }

  @Test
  void aTimeLimitCanBeHoweverLong() {
    Duration ages = Duration.ofSeconds(Long.MAX_VALUE);
    assertThat(SandboxPolicy.builder().timeout(ages).build().timeout()).contains(ages);
    assertThat(SandboxCommand.shell("true").timeout(ages).timeout()).contains(ages);
    assertThat(SandboxPolicy.builder().timeout(ages).build().toString()).contains("timeout=");
  }

  @Test
  void theDefaultsAreTheContracts() {
    SandboxPolicy policy = SandboxPolicy.builder().build();
    assertThat(policy.memory()).isEmpty();
    assertThat(policy.cpus()).isEmpty();
    assertThat(policy.cpuSeconds()).isEmpty();
    assertThat(policy.processes()).isEmpty();
    assertThat(policy.maxFileSize()).isEmpty();
    assertThat(policy.openFiles()).isEmpty();
    assertThat(policy.scratchSize()).isEmpty();
    assertThat(policy.network()).isEqualTo(NetworkMode.NONE);
    assertThat(policy.writable()).isEmpty();
    assertThat(policy.denyWrite()).isEmpty();
    assertThat(policy.denyRead()).isEmpty();
    assertThat(policy.allowRead()).isEmpty();
    assertThat(policy.env()).isEmpty();
    assertThat(policy.home()).isEqualTo(HomeMode.HOST);
    assertThat(policy.timeout()).contains(Duration.ofSeconds(60));
    assertThat(policy.backend()).isEqualTo(SandboxBackend.AUTO);
    assertThat(policy.requireIsolation()).isFalse();
    assertThat(policy.memoryStrategy()).isEqualTo(MemoryStrategy.AUTO);
    assertThat(policy.maxConcurrent()).isEqualTo(256);
  }

  @Test
  void ofScalarsTheLastWins() {
    SandboxPolicy policy =
        SandboxPolicy.builder()
            .memory("64M")
            .memory("128M")
            .network(true)
            .network(NetworkMode.NONE)
            .noTimeout()
            .timeout(Duration.ofSeconds(3))
            .home(HomeMode.PRIVATE)
            .home(HomeMode.HOST)
            .env("A", "1")
            .env("A", "2")
            .build();
    assertThat(policy.memory()).hasValue(128 << 20);
    assertThat(policy.network()).isEqualTo(NetworkMode.NONE);
    assertThat(policy.timeout()).contains(Duration.ofSeconds(3));
    assertThat(policy.home()).isEqualTo(HomeMode.HOST);
    assertThat(policy.env()).containsExactly(Map.entry("A", "2"));
    assertThat(SandboxPolicy.builder().network(true).build().network())
        .isEqualTo(NetworkMode.UNRESTRICTED);
    assertThat(SandboxPolicy.builder().noTimeout().build().timeout()).isEmpty();
  }

  @Test
  @SuppressWarnings("NullAway") // callers without the checker do it
  void variablesThatCannotBeAreRefusedWithoutShowingAValue() {
    HashMap<String, String> nullName = new HashMap<>();
    nullName.put(null, "hunter2");
    HashMap<String, String> nullValue = new HashMap<>();
    nullValue.put("TOKEN", null);
    for (PolicyOptions<?> builder : bothBuilders()) {
      for (Runnable call :
          Stream.<Runnable>of(
                  () -> builder.env("", "hunter2"),
                  () -> builder.env("TOKEN=hunter2", "hunter2"),
                  () -> builder.env("A\0B", "hunter2"),
                  () -> builder.env("A", "hunter2\0"),
                  () -> builder.env("A", "hunter2\ud800"),
                  () -> builder.env("\udc00", "hunter2"),
                  () -> builder.env(nullName),
                  () -> builder.env(nullValue))
              .toList()) {
        assertThatIllegalArgumentException()
            .isThrownBy(call::run)
            .withMessageStartingWith("env: ")
            .satisfies(e -> assertThat(e.getMessage()).doesNotContain("hunter2"));
      }
    }
  }

  @Test
  @SuppressWarnings("NullAway") // callers without the checker do it
  void nullIsRefusedAtOnce() {
    SandboxPolicy.Builder builder = SandboxPolicy.builder();
    assertThatNullPointerException().isThrownBy(() -> builder.memory(null));
    assertThatNullPointerException().isThrownBy(() -> builder.network((NetworkMode) null));
    assertThatNullPointerException().isThrownBy(() -> builder.timeout(null));
    assertThatNullPointerException().isThrownBy(() -> builder.backend(null));
    assertThatNullPointerException().isThrownBy(() -> builder.env("A", null));
    assertThatNullPointerException().isThrownBy(() -> SandboxSession.builder().workspace(null));
  }

  private static Iterable<PolicyOptions<?>> bothBuilders() {
    return Stream.<PolicyOptions<?>>of(SandboxPolicy.builder(), SandboxSession.builder()).toList();
  }
}
