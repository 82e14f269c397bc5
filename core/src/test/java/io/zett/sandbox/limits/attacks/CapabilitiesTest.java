package io.zett.sandbox.limits.attacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.Enforcement;
import io.zett.sandbox.Limit;
import io.zett.sandbox.MemoryStrategy;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.SandboxUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each cell of the report is decided by an attack: neither may it promise what an attack can break,
 * nor call partial what no attack can pass.
 */
@ExtendWith(OuterGuard.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class CapabilitiesTest {
  private static final int LAST = Integer.MAX_VALUE;
  private static final Map<Limit, Verdict> FOUND = new EnumMap<>(Limit.class);

  @ParameterizedTest
  @EnumSource(Limit.class)
  void theReportSaysOfEachLimitWhatAnAttackFinds(Limit limit) {
    Verdict found = new Attacks(SandboxSession::builder).on(limit);
    FOUND.put(limit, found);
    assertReported(SandboxSession.builder(), limit, found);
  }

  @ParameterizedTest
  @EnumSource(
      value = MemoryStrategy.class,
      names = {"WATCHDOG", "RLIMIT"})
  void aForcedMemoryStrategyKeepsWhatItsReportSays(MemoryStrategy strategy) {
    assumeFalse(
        Surroundings.isSlow() && strategy == MemoryStrategy.WATCHDOG,
        "on so slow a machine an attack may not be fast enough to pass a watchdog");
    Verdict found =
        new Attacks(() -> SandboxSession.builder().memoryStrategy(strategy)).on(Limit.MEMORY);
    assertReported(SandboxSession.builder().memoryStrategy(strategy), Limit.MEMORY, found);
  }

  @DisabledIfSystemProperty(
      named = Surroundings.SLOW,
      matches = "true",
      disabledReason = "only the usual backend on so slow a machine")
  @ParameterizedTest
  @EnumSource(Limit.class)
  void theReportSaysTheSameWithoutASandbox(Limit limit) {
    Verdict found =
        new Attacks(() -> SandboxSession.builder().backend(SandboxBackend.PASSTHROUGH)).on(limit);
    assertReported(SandboxSession.builder().backend(SandboxBackend.PASSTHROUGH), limit, found);
  }

  private static void assertReported(SandboxSession.Builder settings, Limit limit, Verdict found) {
    Enforcement before = settings.build().capabilities().enforcement(limit);
    assertThat(found.agreesWith(before)).as("%s: said %s, found %s", limit, before, found).isTrue();
    try (SandboxSession open = settings.open()) {
      assertThat(open.capabilities().enforcement(limit)).isEqualTo(before);
    }
  }

  @Test
  void aStrategyThatCannotBeHadIsRefusedWithItsMend() {
    assumeFalse(Limited.isGrouped(Limit.MEMORY), "groups can be had here");
    SandboxSession.Builder forced = SandboxSession.builder().memoryStrategy(MemoryStrategy.CGROUP);
    assertThatThrownBy(forced::open)
        .isInstanceOfSatisfying(
            SandboxUnavailableException.class, e -> assertThat(e.fix()).isNotEmpty());
    assertThat(forced.build().capabilities().limits()).hasSize(Limit.values().length);
  }

  @DisabledIfSystemProperty(
      named = Surroundings.SLOW,
      matches = "true",
      disabledReason = "on so slow a machine an attack may not be fast enough to pass a watchdog")
  @Test
  void aForcedWatchdogWithoutASandboxKeepsWhatItsReportSays() {
    Supplier<SandboxSession.Builder> forced =
        () ->
            SandboxSession.builder()
                .backend(SandboxBackend.PASSTHROUGH)
                .memoryStrategy(MemoryStrategy.WATCHDOG);
    Verdict found = new Attacks(forced).on(Limit.MEMORY);
    assertReported(forced.get(), Limit.MEMORY, found);
  }

  @Test
  @Order(LAST)
  void theCommittedTableOfThisEnvironmentSaysWhatTheAttacksFound() throws IOException {
    assumeTrue(FOUND.size() == Limit.values().length, "not every attack came to its end");
    Optional<Surroundings> here = Surroundings.current();
    assumeTrue(here.isPresent(), "docs/limits.md has no table for such a machine");
    Findings.keep(here.get(), FOUND);
    Path document = Findings.document();
    assumeTrue(Files.exists(document), "docs/limits.md is not here");
    assertThat(Files.readString(document))
        .as("docs/limits.md; scripts/limits-tables writes it")
        .contains("### " + here.get().title() + "\n\n" + Findings.table(FOUND));
  }
}
