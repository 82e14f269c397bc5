package io.zett.sandbox.limits.attacks;

import static io.zett.sandbox.limits.attacks.Limited.assertEnded;
import static io.zett.sandbox.limits.attacks.Limited.assertUnharmed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.Limit;
import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processor time of the whole tree, and the share of processors. */
@ExtendWith(OuterGuard.class)
class CpuAttackTest {
  private static final int SECONDS = 2;

  @ParameterizedTest
  @ValueSource(strings = {"parallel 4 1200", "serial 4 1200"})
  void fourThatUseMoreTogetherAreEnded(String how) {
    Limited.assumeKept(Limit.CPU_SECONDS);
    try (SandboxSession session = Limited.session().cpuSeconds(SECONDS).open()) {
      SandboxResult result = Attacker.run(session, "burn " + how);
      assertEnded(result, Limit.CPU_SECONDS);
      assertAccurate(result);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"trapped 1 6000", "trapped 4 6000", "forgotten 6 900"})
  void noSignalThatIsIgnoredHelpsWhereAGroupCounts(String how) {
    assumeTrue(Limited.isGrouped(Limit.CPU_SECONDS), "only a group counts them all");
    try (SandboxSession session = Limited.session().cpuSeconds(SECONDS).open()) {
      SandboxResult result = Attacker.run(session, "burn " + how);
      assertEnded(result, Limit.CPU_SECONDS);
      assertAccurate(result);
    }
  }

  @Test
  void aTrappedSignalHelpsForAtMostASecondElsewhere() {
    try (SandboxSession session = Limited.session().cpuSeconds(1).open()) {
      SandboxResult result = Attacker.run(session, "burn trapped 1 4000");
      assertThat(result.succeeded()).isFalse();
      assertThat(result.limitsHit()).containsExactly(Limit.CPU_SECONDS);
      assertThat(Attacker.had(result) * 10).isBetween(Surroundings.isSlow() ? 300L : 700L, 2_300L);
    }
  }

  /** Within 10 % and 50 ms by the kernel's own count, and by what the attackers had. */
  private static void assertAccurate(SandboxResult result) {
    Duration most = Duration.ofMillis(SECONDS * 1_100 + 50);
    Duration least = Duration.ofMillis(SECONDS * 700); // RLIMIT_CPU may run ahead of the time told
    assertThat(result.usage().cpu())
        .hasValueSatisfying(cpu -> assertThat(cpu).isGreaterThanOrEqualTo(least));
    if (Limited.isGrouped(Limit.CPU_SECONDS)) {
      assertThat(result.usage().cpu().orElseThrow()).isBetween(Duration.ofSeconds(SECONDS), most);
      assertThat(Duration.ofMillis(Attacker.had(result) * 10))
          .isBetween(Duration.ofMillis(SECONDS * (Surroundings.isSlow() ? 500 : 800)), most);
    }
  }

  @Test
  void sleepingCostsNothing() {
    try (SandboxSession session = Limited.session().cpuSeconds(1).open()) {
      assertUnharmed(session.run("sleep 1.5"));
    }
  }

  @Test
  void aStoppedCommandEndsWithItsTime() {
    try (SandboxSession session = Limited.session().cpuSeconds(1).memory("64M").open()) {
      SandboxCommand stopped =
          SandboxCommand.shell("echo here; kill -STOP $$; echo never")
              .timeout(Duration.ofMillis(1_500));
      SandboxResult result = session.run(stopped);
      assertThat(result.outcome()).isEqualTo(new Outcome.TimedOut(Duration.ofMillis(1_500)));
      assertThat(result.stdout()).isEqualTo("here\n");
    }
  }

  @Test
  void aProgramThatAsksForTheNumberOfProcessorsHearsTheTruth() {
    assumeTrue(Limited.isGrouped(Limit.CPUS), "the share of processors is not kept here");
    String all = outside();
    for (String cores : new String[] {"0.5", "1"}) {
      try (SandboxSession session = Limited.session().cpus(Double.parseDouble(cores)).open()) {
        assertThat(session.run("nproc").stdout()).isEqualTo("1\n");
      }
    }
    try (SandboxSession session = Limited.session().cpus(8192).open()) {
      assertThat(session.run("nproc").stdout()).isEqualTo(all);
    }
  }

  private static String outside() {
    try (SandboxSession session = Limited.session().open()) {
      return session.run("nproc").stdout();
    }
  }
}
