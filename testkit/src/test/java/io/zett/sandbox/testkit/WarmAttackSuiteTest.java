package io.zett.sandbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.engine.WarmSessions;
import io.zett.sandbox.testkit.Finding.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The suite against sandboxes that were started ahead of their commands. */
@Timeout(600)
class WarmAttackSuiteTest {
  private static List<Finding> findings = List.of();
  private static List<String> sessions = List.of();

  @BeforeAll
  static void attack() throws IOException, InterruptedException {
    assumeTrue(System.getProperty("os.name").equals("Linux"), "the attacks are those of Linux");
    Files.deleteIfExists(WarmSessions.LOG);
    findings = AttackSuite.against(WarmSessions.class).run();
    sessions = Files.readAllLines(WarmSessions.LOG);
  }

  @Test
  void noAttackWorks() {
    assertThat(findings)
        .hasSameSizeAs(AttackSuite.attacks())
        .noneMatch(finding -> finding.result() == Result.WORKED);
  }

  @Test
  void theAttacksMetSandboxesThatWereStartedAhead() {
    assertThat(sessions).hasSizeGreaterThan(10).doesNotContain("0");
  }
}
