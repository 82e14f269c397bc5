package io.zett.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResourceReportTest {

  private static Map<Limit, Enforcement> limits() {
    Map<Limit, Enforcement> limits = new EnumMap<>(Limit.class);
    for (Limit limit : Limit.values()) {
      limits.put(limit, Enforcement.none("nothing does it"));
    }
    limits.put(
        Limit.FILE_SIZE,
        new Enforcement(
            "RLIMIT_FSIZE",
            Enforcement.Scope.PROCESS,
            Enforcement.Level.FULL,
            "each process is bounded"));
    return limits;
  }

  @Test
  void everyLimitIsSpokenOf() {
    Map<Limit, Enforcement> some = limits();
    some.remove(Limit.CPUS);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ResourceReport(SandboxBackend.BUBBLEWRAP, true, some))
        .withMessageContaining("cpus");
  }

  @Test
  void aReportIsAValue() {
    Map<Limit, Enforcement> given = limits();
    ResourceReport report = new ResourceReport(SandboxBackend.BUBBLEWRAP, true, given);
    given.clear();
    assertThat(report).isEqualTo(new ResourceReport(SandboxBackend.BUBBLEWRAP, true, limits()));
    assertThat(report.limits().keySet()).containsExactly(Limit.values());
    assertThat(report.enforcement(Limit.FILE_SIZE).mechanism()).isEqualTo("RLIMIT_FSIZE");
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> report.limits().clear());
  }

  @Test
  void theTextIsATablePeopleCanRead() {
    String text = new ResourceReport(SandboxBackend.BUBBLEWRAP, true, limits()).toString();
    assertThat(text.lines())
        .hasSize(2 + Limit.values().length)
        .startsWith("backend: bubblewrap (isolated)")
        .contains(
            "limit         level  scope    mechanism     detail",
            "memory        none   -        none          nothing does it",
            "file_size     full   process  RLIMIT_FSIZE  each process is bounded")
        .allMatch(line -> line.equals(line.stripTrailing()));
    assertThat(new ResourceReport(SandboxBackend.PASSTHROUGH, false, limits()).toString())
        .startsWith("backend: passthrough (NOT isolated)");
  }
}
