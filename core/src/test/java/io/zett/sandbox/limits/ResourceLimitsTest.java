package io.zett.sandbox.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.Limit;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.posix.ResourceLimit;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ResourceLimitsTest {
  private static final long INFINITY = -1;
  private static final int CPU = 0;
  private static final int FSIZE = 1;
  private static final int CORE = 4;
  private static final int NPROC = 6;
  private static final int NOFILE = 7;
  private static final int AS = 9;

  @Test
  void onlyWhatIsAskedForIsSet() {
    assertThat(of(SandboxPolicy.builder().build(), false, INFINITY)).containsOnlyKeys(CORE);
  }

  @Test
  void theNumbersAreThePolicys() {
    SandboxPolicy policy =
        SandboxPolicy.builder()
            .cpuSeconds(5)
            .maxFileSize(1000)
            .processes(10)
            .openFiles(20)
            .memory("1G")
            .build();
    assertThat(of(policy, false, INFINITY))
        .containsEntry(CPU, new ResourceLimit(5, 6))
        .containsEntry(FSIZE, new ResourceLimit(1000, 1000))
        .containsEntry(NPROC, new ResourceLimit(12, 12))
        .containsEntry(NOFILE, new ResourceLimit(20, 20))
        .containsEntry(AS, new ResourceLimit(1 << 30, 1 << 30));
  }

  @Test
  void nothingIsAskedForBeyondWhatThisProcessHas() {
    SandboxPolicy policy =
        SandboxPolicy.builder().cpuSeconds(100).openFiles(1_000_000).maxFileSize(10).build();
    assertThat(of(policy, false, 50))
        .containsEntry(CPU, new ResourceLimit(50, 50))
        .containsEntry(NOFILE, new ResourceLimit(50, 50))
        .containsEntry(FSIZE, new ResourceLimit(10, 10));
  }

  @Test
  void whereProcessorTimeIsCountedExactlyTheTicksAreASecondLine() {
    SandboxPolicy policy = SandboxPolicy.builder().cpuSeconds(10).build();
    assertThat(of(policy, true, INFINITY)).containsEntry(CPU, new ResourceLimit(16, 17));
  }

  @Test
  void theLastOneIsOfDescriptors() {
    SandboxPolicy policy = SandboxPolicy.builder().openFiles(16).maxFileSize(1).build();
    assertThat(of(policy, false, INFINITY).keySet()).endsWith(NOFILE);
  }

  private static Map<Integer, ResourceLimit> of(
      SandboxPolicy policy, boolean exactly, long inherited) {
    Budget budget = Budget.of(policy);
    Set<Limit> kept =
        Set.of(Limit.CPU_SECONDS, Limit.PROCESSES, Limit.MEMORY).stream()
            .filter(budget::asksFor)
            .collect(Collectors.toSet());
    return ResourceLimits.of(budget, kept, exactly, _ -> new ResourceLimit(inherited, inherited));
  }
}
