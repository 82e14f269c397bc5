package io.zett.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SandboxPolicyTest {
  /** One change for each option. */
  private static final List<Consumer<SandboxPolicy.Builder>> CHANGES =
      List.of(
          b -> b.memory("64M"),
          b -> b.cpus(1.5),
          b -> b.cpuSeconds(9),
          b -> b.processes(64),
          b -> b.maxFileSize("1M"),
          b -> b.openFiles(99),
          b -> b.network(true),
          b -> b.blockUnixSockets(true),
          b -> b.protectDeveloperFiles(),
          b -> b.writable(Path.of("/w")),
          b -> b.denyWrite(Path.of("/dw")),
          b -> b.denyRead(Path.of("/dr")),
          b -> b.allowRead(Path.of("/ar")),
          b -> b.env("NAME", "hunter2"),
          b -> b.home(HomeMode.PRIVATE),
          b -> b.scratchSize("2M"),
          b -> b.timeout(Duration.ofMillis(1500)),
          b -> b.backend(SandboxBackend.PASSTHROUGH),
          b -> b.requireIsolation(true),
          b -> b.memoryStrategy(MemoryStrategy.RLIMIT),
          b -> b.maxConcurrent(3));

  private static SandboxPolicy.Builder everything() {
    SandboxPolicy.Builder builder = SandboxPolicy.builder();
    CHANGES.forEach(change -> change.accept(builder));
    return builder;
  }

  @Test
  void policiesThatSayTheSameAreEqual() {
    assertThat(everything().build())
        .isEqualTo(everything().build())
        .hasSameHashCodeAs(everything().build())
        .isNotEqualTo(SandboxPolicy.builder().build());
  }

  @Test
  void theOrderOfTheCallsNeverMatters() {
    SandboxPolicy.Builder backwards = SandboxPolicy.builder();
    CHANGES.reversed().forEach(change -> change.accept(backwards));
    assertThat(backwards.build()).isEqualTo(everything().build());
    Path a = Path.of("/a");
    Path b = Path.of("/b");
    assertThat(SandboxPolicy.builder().denyRead(a, b).build())
        .isEqualTo(SandboxPolicy.builder().denyRead(b).denyRead(a, b).build());
  }

  @Test
  void eachOptionMakesADifference() {
    SandboxPolicy usual = SandboxPolicy.builder().build();
    for (Consumer<SandboxPolicy.Builder> change : CHANGES) {
      SandboxPolicy.Builder builder = SandboxPolicy.builder();
      change.accept(builder);
      SandboxPolicy changed = builder.build();
      assertThat(changed).isNotEqualTo(usual);
      assertThat(changed.toString()).isNotEqualTo(usual.toString());
    }
    assertThat(SandboxPolicy.builder().noTimeout().build()).isNotEqualTo(usual);
  }

  @Test
  void aBuilderOfAPolicyBeginsWithAllOfIt() {
    SandboxPolicy policy = everything().build();
    assertThat(policy.toBuilder().build()).isEqualTo(policy);
    assertThat(SandboxSession.builder(policy).build().policy()).isEqualTo(policy);
    SandboxPolicy more = policy.toBuilder().writable(Path.of("/more")).env("B", "1").build();
    assertThat(more.writable()).containsExactly(Path.of("/more"), Path.of("/w"));
    assertThat(more.env()).containsOnlyKeys("NAME", "B");
    assertThat(policy.writable()).containsExactly(Path.of("/w"));
  }

  @Test
  void aBuilderCanBeUsedAgainAndWhatItBuiltDoesNotChange() {
    SandboxSession.Builder builder = SandboxSession.builder().denyRead(Path.of("/a"));
    SandboxSession first = builder.build();
    SandboxSession second = builder.denyRead(Path.of("/b")).memory("64M").env("A", "1").build();
    assertThat(first.policy()).isEqualTo(SandboxPolicy.builder().denyRead(Path.of("/a")).build());
    assertThat(second.policy().denyRead()).containsExactly(Path.of("/a"), Path.of("/b"));
    assertThat(second).isNotSameAs(first);
  }

  @Test
  void theTextShowsNamesOfVariablesAndNeverValues() {
    assertThat(everything().build().toString())
        .contains("NAME", "memory=64 MiB", "timeout=1.5 s", "network=unrestricted")
        .doesNotContain("hunter2");
    assertThat(SandboxPolicy.builder().build().toString()).isEqualTo("SandboxPolicy[timeout=60 s]");
  }

  @Test
  void whatAPolicyGivesOutCannotBeChanged() {
    SandboxPolicy policy = everything().build();
    Stream.<Runnable>of(
            () -> policy.writable().add(Path.of("/x")),
            () -> policy.denyWrite().clear(),
            () -> policy.denyRead().clear(),
            () -> policy.allowRead().clear(),
            () -> policy.env().put("A", "1"))
        .forEach(
            change ->
                assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(change::run));
  }
}
