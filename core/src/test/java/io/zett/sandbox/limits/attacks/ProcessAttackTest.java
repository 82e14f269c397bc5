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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes and threads: no more than were granted, however they are made. */
@ExtendWith(OuterGuard.class)
class ProcessAttackTest {
  @BeforeEach
  void processesAreKept() {
    Limited.assumeKept(Limit.PROCESSES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"forks", "threads"})
  void exactlyAsManyAsGrantedCanBeAdded(String how) {
    try (SandboxSession session = Limited.session().processes(20).open()) {
      SandboxResult result = Attacker.run(session, how + " 20 20");
      assertUnharmed(result);
      assertThat(Attacker.had(result)).isEqualTo(20);
      SandboxResult more = Attacker.run(session, how + " 21 300");
      if (Limited.isFull(Limit.PROCESSES)) {
        assertThat(Attacker.had(more)).isEqualTo(20);
        assertThat(more.stderr()).contains("refused");
      } else {
        assertEnded(more, Limit.PROCESSES);
      }
    }
  }

  @Test
  void fiveHundredThreadsDoNotFitIntoAHundred() {
    try (SandboxSession session = Limited.session().processes(100).open()) {
      SandboxResult result = Attacker.run(session, "threads 500 300");
      if (Limited.isFull(Limit.PROCESSES)) {
        assertThat(Attacker.had(result)).isEqualTo(100);
      } else {
        assertEnded(result, Limit.PROCESSES);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shell", "detaching"})
  void aForkBombIsOverWithItsTimeAndTheNextCommandRuns(String kind) {
    try (SandboxSession session = Limited.session().processes(64).open()) {
      SandboxCommand bomb =
          (kind.equals("shell")
                  ? SandboxCommand.shell("b() { b | b & }; b; sleep 60")
                  : Attacker.command(session, "bomb"))
              .timeout(Duration.ofSeconds(2));
      SandboxResult result = session.run(bomb);
      // A shell gives up when it may not fork; the other goes on until its time is over.
      boolean gaveUp = kind.equals("shell") && result.outcome() instanceof Outcome.Exited;
      boolean full = Limited.isFull(Limit.PROCESSES);
      assertThat(gaveUp && full || result.timedOut() || !full && limited(result))
          .as(result.toString())
          .isTrue();
      SandboxResult next = session.run("echo ok");
      assertUnharmed(next);
      assertThat(next.stdout()).isEqualTo("ok\n");
    }
  }

  private static boolean limited(SandboxResult result) {
    return result.outcome().equals(new Outcome.LimitExceeded(Limit.PROCESSES));
  }

  @Test
  void aGroupTellsThatItRefusedAProcess() {
    assumeTrue(Limited.isGrouped(Limit.PROCESSES), "only a group tells of refusals");
    try (SandboxSession session = Limited.session().processes(8).open()) {
      SandboxResult result = Attacker.run(session, "forks 20 20");
      assertThat(result.outcome()).isEqualTo(new Outcome.Exited(3));
      assertThat(result.limitsHit()).containsExactly(Limit.PROCESSES);
    }
  }

  @Test
  void theTasksOfTheUserOutsideDoNotCount() {
    try (SandboxSession session = Limited.session().processes(10).open();
        SandboxSession other = Limited.session().processes(30).open()) {
      var busy = other.runAsync(Attacker.command(other, "forks 30 3000"));
      SandboxResult result = Attacker.run(session, "forks 10 100");
      assertUnharmed(result);
      assertThat(Attacker.had(result)).isEqualTo(10);
      assertUnharmed(busy.join());
    }
  }
}
