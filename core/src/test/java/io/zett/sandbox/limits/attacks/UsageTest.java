package io.zett.sandbox.limits.attacks;

import static io.zett.sandbox.limits.attacks.Limited.MIB;
import static io.zett.sandbox.limits.attacks.Limited.assertUnharmed;
import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.Limit;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a command used is told from the best source there is. */
@ExtendWith(OuterGuard.class)
class UsageTest {
  /** More than building a sandbox costs, less than the commands here use. */
  private static final Duration MOST_LAUNCHING = Duration.ofMillis(100);

  @Test
  void thePeakIsTheWholeTrees() {
    Limited.assumeKept(Limit.MEMORY);
    try (SandboxSession session = Limited.session().memory("200M").open()) {
      SandboxResult result = Attacker.run(session, "hold private 80 4 500");
      assertUnharmed(result);
      assertThat(result.usage().peakMemory().orElseThrow()).isBetween(80 * MIB, 120 * MIB);
    }
  }

  @Test
  void aPeakThatWasEndedIsTheLimit() {
    Limited.assumeKept(Limit.MEMORY);
    try (SandboxSession session = Limited.session().memory("64M").open()) {
      SandboxResult result = Attacker.run(session, "hold private 300 1 2000");
      assertThat(result.usage().peakMemory().orElseThrow()).isBetween(62 * MIB, 310 * MIB);
    }
  }

  @Test
  void withoutALimitThePeakIsTheLargestProcesss() {
    try (SandboxSession session = Limited.session().open()) {
      SandboxResult result = Attacker.run(session, "hold private 80 4 100");
      assertThat(result.usage().peakMemory().orElseThrow()).isBetween(20 * MIB, 120 * MIB);
    }
  }

  @Test
  void processorTimeIsTheWholeTrees() {
    for (SandboxSession.Builder settings :
        new SandboxSession.Builder[] {Limited.session(), Limited.session().cpuSeconds(30)}) {
      try (SandboxSession session = settings.open()) {
        SandboxResult result = Attacker.run(session, "burn parallel 3 200");
        assertThat(result.usage().cpu().orElseThrow())
            // A machine in a machine counts what others take from it as its own.
            .isBetween(
                Duration.ofMillis(580), Duration.ofMillis(Surroundings.isSlow() ? 6_000 : 1_500));
      }
    }
  }

  @Test
  void aTimeoutLeavesTheProcessorTimeThatWasCounted() {
    Limited.assumeKept(Limit.CPU_SECONDS);
    try (SandboxSession session = Limited.session().cpuSeconds(30).open()) {
      SandboxCommand endless =
          Attacker.command(session, "burn parallel 2 30000").timeout(Duration.ofSeconds(2));
      SandboxResult result = session.run(endless);
      assertThat(result.timedOut()).isTrue();
      assertThat(result.usage().cpu())
          .hasValueSatisfying(cpu -> assertThat(cpu).isGreaterThan(MOST_LAUNCHING));
    }
  }

  @Test
  void whatWasUsedBeforeATimeoutIsKnownOrEmpty() {
    for (SandboxSession.Builder settings :
        new SandboxSession.Builder[] {
          Limited.session(), Limited.session().cpuSeconds(30).memory("100M")
        }) {
      try (SandboxSession session = settings.open()) {
        SandboxCommand endless =
            Attacker.command(session, "burn parallel 2 30000").timeout(Duration.ofSeconds(1));
        SandboxResult result = session.run(endless);
        assertThat(result.timedOut()).isTrue();
        result.usage().cpu().ifPresent(cpu -> assertThat(cpu).isGreaterThan(MOST_LAUNCHING));
        result.usage().peakMemory().ifPresent(peak -> assertThat(peak).isPositive());
      }
    }
  }
}
