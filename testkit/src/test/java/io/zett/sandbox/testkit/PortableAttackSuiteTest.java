package io.zett.sandbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.testkit.Finding.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The part of the suite that passthrough claims to stand where the JDK starts its commands, as on
 * Windows and macOS: on this machine, under a name by which its own calls are not made. What
 * detaches and outlives its parent at once is not found there, so endings are not claimed.
 */
@Timeout(600)
class PortableAttackSuiteTest {

  private static final Set<Claim> CLAIMS =
      Set.of(Claim.ENVIRONMENT, Claim.DESCRIPTORS, Claim.LIMITS);

  /** Other processes of the user are open to a command, and files in {@code /tmp} the host's. */
  private static final Set<String> BEYOND =
      Set.of(
          "cannot find the caller's variables in any process",
          "cannot read it by /proc",
          "cannot keep more memory in /tmp",
          "cannot keep more memory in /dev/shm");

  /** The library as it is on another Unix. */
  public static final class Portable implements SandboxFactory {

    /** Has no state. */
    public Portable() {}

    @Override
    public SandboxSession open(SandboxPolicy policy, Path workspace) {
      String name = System.setProperty("os.name", "Another Unix");
      try {
        return SandboxSession.builder(policy).workspace(workspace).open();
      } finally {
        System.setProperty("os.name", name);
      }
    }
  }

  @Test
  void nothingWorksThatIsClaimedToBeKept() throws IOException, InterruptedException {
    assumeTrue(System.getProperty("os.name").equals("Linux"), "the attacks are those of Linux");
    List<Finding> findings =
        AttackSuite.against(Portable.class)
            .only(attack -> CLAIMS.contains(attack.claim()) && !BEYOND.contains(attack.name()))
            .run();

    assertThat(findings).noneMatch(finding -> finding.result() == Result.WORKED);
    assertThat(findings)
        .filteredOn(finding -> finding.result() == Result.REFUSED)
        .extracting(finding -> finding.attack().claim())
        .contains(Claim.ENVIRONMENT, Claim.DESCRIPTORS, Claim.LIMITS);
  }
}
