package io.zett.sandbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.Enforcement;
import io.zett.sandbox.Limit;
import io.zett.sandbox.ResourceReport;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.testkit.Finding.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The part of the suite that passthrough claims to stand: it isolates nothing, but what a command
 * is given, how it ends and the limits that its report names are those of a sandbox.
 *
 * <p>Each of these attacks is harmless on the host; the others are not made at all.
 */
@Timeout(600)
class PassthroughAttackSuiteTest {

  private static final Set<Claim> CLAIMS =
      Set.of(Claim.ENVIRONMENT, Claim.DESCRIPTORS, Claim.END, Claim.TIMEOUT, Claim.LIMITS);

  /**
   * Other processes of the user are open to a command: who looks there finds what they have. Files
   * in {@code /tmp} are the host's, and no memory of the command's.
   */
  private static final Set<String> BEYOND =
      Set.of(
          "cannot find the caller's variables in any process",
          "cannot read it by /proc",
          "cannot keep more memory in /tmp",
          "cannot keep more memory in /dev/shm");

  private static List<Finding> findings = List.of();
  private static ResourceReport report;

  /** No sandbox at all. */
  public static final class Passthrough implements SandboxFactory {

    /** Has no state. */
    public Passthrough() {}

    @Override
    public SandboxSession open(SandboxPolicy policy, Path workspace) {
      return SandboxSession.builder(policy)
          .backend(SandboxBackend.PASSTHROUGH)
          .workspace(workspace)
          .open();
    }
  }

  @BeforeAll
  static void attack() throws IOException, InterruptedException {
    assumeTrue(System.getProperty("os.name").equals("Linux"), "the attacks are those of Linux");
    findings =
        AttackSuite.against(Passthrough.class)
            .only(attack -> CLAIMS.contains(attack.claim()) && !BEYOND.contains(attack.name()))
            .run();
    report = SandboxSession.builder().backend(SandboxBackend.PASSTHROUGH).build().capabilities();
  }

  @Test
  void nothingWorksThatIsClaimedToBeKept() {
    assertThat(report.isolated()).isFalse();
    assertThat(findings).noneMatch(finding -> finding.result() == Result.WORKED);
    assertThat(findings)
        .filteredOn(finding -> finding.result() == Result.REFUSED)
        .extracting(finding -> finding.attack().claim())
        .contains(Claim.ENVIRONMENT, Claim.DESCRIPTORS, Claim.END, Claim.TIMEOUT, Claim.LIMITS);
  }

  @ParameterizedTest
  @EnumSource(value = Limit.class, names = "CPUS", mode = EnumSource.Mode.EXCLUDE)
  void eachLimitIsKeptAsFarAsTheReportSays(Limit limit) {
    Enforcement.Level level = report.enforcement(limit).level();
    Set<Result> possible =
        switch (level) {
          case FULL -> Set.of(Result.REFUSED, Result.SKIPPED);
          case PARTIAL -> Set.of(Result.REFUSED, Result.PARTIAL, Result.SKIPPED);
          case NONE -> Set.of(Result.SKIPPED);
        };
    List<Finding> found =
        findings.stream().filter(finding -> finding.attack().setting().limit() == limit).toList();

    assertThat(found).isNotEmpty();
    assertThat(found).extracting(Finding::result).isSubsetOf(possible);
    boolean kept = found.stream().anyMatch(finding -> finding.result() == Result.REFUSED);
    if (level != Enforcement.Level.PARTIAL) {
      // What is kept in part may be passed by all of these: they are quick.
      assertThat(kept).as(found.toString()).isEqualTo(level == Enforcement.Level.FULL);
    }
  }
}
