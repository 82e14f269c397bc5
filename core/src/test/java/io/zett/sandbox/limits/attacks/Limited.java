package io.zett.sandbox.limits.attacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.Enforcement;
import io.zett.sandbox.Enforcement.Level;
import io.zett.sandbox.Limit;
import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.time.Duration;

/** Sessions with limits, and what is expected of their results. */
final class Limited {
  static final long MIB = 1L << 20;

  private Limited() {}

  /** Settings with so much time that a busy machine does not matter. */
  static SandboxSession.Builder session() {
    return SandboxSession.builder().timeout(Duration.ofSeconds(100));
  }

  /** How a limit is kept on this machine. */
  static Enforcement how(Limit limit) {
    return SandboxSession.builder().build().capabilities().enforcement(limit);
  }

  static boolean isFull(Limit limit) {
    return how(limit).level() == Level.FULL;
  }

  static boolean isGrouped(Limit limit) {
    return how(limit).mechanism().startsWith("cgroup");
  }

  /** Goes on only where something keeps it for the tree. */
  static void assumeKept(Limit limit) {
    assumeTrue(
        how(limit).level() != Level.NONE && how(limit).scope() == Enforcement.Scope.TREE,
        () -> "nothing keeps " + limit.wireName() + " here: " + how(limit).detail());
  }

  /** The tree was ended for this limit, and it is said. */
  static void assertEnded(SandboxResult result, Limit limit) {
    assertThat(result.outcome())
        .as("%s; stderr: %s", result, result.stderr())
        .isEqualTo(new Outcome.LimitExceeded(limit));
    assertThat(result.limitsHit()).contains(limit);
    assertThat(result.exitCode()).isEqualTo(137);
    assertThat(result.succeeded()).isFalse();
  }

  /** It ran as if there were no limit. */
  static void assertUnharmed(SandboxResult result) {
    assertThat(result.outcome())
        .as("%s; stderr: %s", result, result.stderr())
        .isEqualTo(new Outcome.Exited(0));
    assertThat(result.limitsHit()).isEmpty();
  }
}
