package io.zett.sandbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.Enforcement;
import io.zett.sandbox.Limit;
import io.zett.sandbox.ResourceReport;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.cli.ZettProcess.End;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnenforcedLimitsTest {
  private static final SandboxPolicy ALL =
      SandboxPolicy.builder()
          .memory("64M")
          .cpus(0.5)
          .cpuSeconds(1)
          .processes(8)
          .maxFileSize("1M")
          .openFiles(64)
          .scratchSize("1M")
          .build();

  private static ResourceReport report(Enforcement.Level level) {
    Map<Limit, Enforcement> limits = new EnumMap<>(Limit.class);
    for (Limit limit : Limit.values()) {
      limits.put(limit, new Enforcement("-", Enforcement.Scope.TREE, level, "no " + limit));
    }
    return new ResourceReport(SandboxBackend.BUBBLEWRAP, true, limits);
  }

  @Test
  void everyLimitThatWasAskedForIsNamedWithTheReason() {
    assertThat(UnenforcedLimits.of(ALL, report(Enforcement.Level.NONE)))
        .hasValueSatisfying(
            line -> {
              for (Limit limit : Limit.values()) {
                assertThat(line).contains(limit.wireName() + " (no " + limit + ")");
              }
            });
  }

  @Test
  void whatWasNotAskedForOrIsKeptIsNotNamed() {
    SandboxPolicy none = SandboxPolicy.builder().build();
    assertThat(UnenforcedLimits.of(none, report(Enforcement.Level.NONE))).isEmpty();
    assertThat(UnenforcedLimits.of(ALL, report(Enforcement.Level.PARTIAL))).isEmpty();
  }

  @Test
  void aLimitThatNothingKeepsIsToldInOneLineAndNotWithJson(@TempDir Path folder) throws Exception {
    End run = ZettProcess.run(folder, "run", "--cpus", "0.5", "true");
    boolean isKept =
        SandboxSession.builder().build().capabilities().enforcement(Limit.CPUS).level()
            != Enforcement.Level.NONE;
    assertThat(run.status()).isZero();
    if (isKept) {
      assertThat(run.err()).isEmpty();
    } else {
      assertThat(run.err()).hasLineCount(1).startsWith("zett: not enforced here: cpus (");
    }
    assertThat(ZettProcess.run(folder, "run", "--json", "--cpus", "0.5", "true").err()).isEmpty();
  }
}
