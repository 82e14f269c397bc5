package io.zett.sandbox.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.HomeMode;
import io.zett.sandbox.MemoryStrategy;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxPolicy;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PolicySpecTest {
  private static final SandboxPolicy USUAL = SandboxPolicy.builder().build();

  /** Every option says something else than usual. */
  private static final SandboxPolicy EVERYTHING =
      SandboxPolicy.builder()
          .memory("64M")
          .cpus(1.5)
          .cpuSeconds(9)
          .processes(64)
          .maxFileSize("1M")
          .openFiles(99)
          .network(true)
          .blockUnixSockets(true)
          .protectDeveloperFiles()
          .writable(Path.of("/w"), Path.of("/v"))
          .denyWrite(Path.of("/dw"))
          .denyRead(Path.of("/dr"))
          .allowRead(Path.of("/ar"))
          .env("NAME", "hunter2")
          .home(HomeMode.PRIVATE)
          .scratchSize("2M")
          .timeout(Duration.ofMillis(1500))
          .backend(SandboxBackend.PASSTHROUGH)
          .requireIsolation(true)
          .memoryStrategy(MemoryStrategy.RLIMIT)
          .maxConcurrent(3)
          .warm(2)
          .build();

  /** A new option of the policy fails here until it is above, and below until it travels. */
  @Test
  void everyOptionIsTried() throws ReflectiveOperationException {
    List<Method> options =
        Stream.of(SandboxPolicy.class.getDeclaredMethods())
            .filter(method -> Modifier.isPublic(method.getModifiers()))
            .filter(method -> !Modifier.isStatic(method.getModifiers()))
            .filter(method -> method.getParameterCount() == 0)
            .filter(
                method -> !List.of("toBuilder", "hashCode", "toString").contains(method.getName()))
            .toList();
    assertThat(options).hasSizeGreaterThan(20);
    for (Method option : options) {
      assertThat(option.invoke(EVERYTHING)).as(option.getName()).isNotEqualTo(option.invoke(USUAL));
    }
  }

  @Test
  void everyOptionTravels() throws Exception {
    SandboxPolicy endless = SandboxPolicy.builder().noTimeout().build();
    for (SandboxPolicy policy : List.of(USUAL, EVERYTHING, endless)) {
      PolicySpec spec = PolicySpec.of(policy);
      assertThat(Travelled.byJava(spec, PolicySpec.class).policy()).isEqualTo(policy);
      assertThat(Travelled.byKryo(spec, PolicySpec.class).policy()).isEqualTo(policy);
      assertThat(Travelled.byJava(spec, PolicySpec.class)).isEqualTo(spec).hasSameHashCodeAs(spec);
    }
  }

  @Test
  void itsTextShowsNoValueOfAVariable() {
    assertThat(PolicySpec.of(EVERYTHING).toString()).contains("NAME").doesNotContain("hunter2");
  }
}
