package io.zett.sandbox.limits.attacks;

import static io.zett.sandbox.limits.attacks.Limited.MIB;
import static io.zett.sandbox.limits.attacks.Limited.assertEnded;
import static io.zett.sandbox.limits.attacks.Limited.assertUnharmed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.Limit;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A command finds nothing of an earlier one's in its groups, whether they are new or not. */
@ExtendWith(OuterGuard.class)
class ReusedGroupsTest {
  private static final int ROUNDS = 6;

  @Test
  void groupsOfVersion1AreUsedAgain() {
    assumeTrue(Limited.how(Limit.PROCESSES).mechanism().equals("cgroup v1"), "not version 1 here");
    try (SandboxSession session = Limited.session().processes(50).cpuSeconds(50).open()) {
      Set<Path> used = new HashSet<>();
      for (int i = 0; i < ROUNDS; i++) {
        used.add(Placement.in(session).directories().get("pids"));
      }
      assertThat(used).hasSizeLessThan(ROUNDS);
    }
  }

  @Test
  void whatWaitsToBeUsedAgainIsNotMuch() throws IOException {
    assumeTrue(Limited.isGrouped(Limit.PROCESSES), "no control group can be made here");
    try (SandboxSession session = Limited.session().processes(50).maxConcurrent(30).open()) {
      List<CompletableFuture<SandboxResult>> running = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        running.add(session.runAsync(Attacker.command(session, "burn serial 1 100")));
      }
      running.forEach(each -> assertUnharmed(each.join()));
      for (Path group : Placement.sessionGroups(session)) {
        try (var inner = Files.list(group)) {
          assertThat(inner.filter(Files::isDirectory)).hasSizeLessThan(20);
        }
      }
    }
  }

  @Test
  void aPeakIsItsOwn() {
    assumeTrue(Limited.isGrouped(Limit.MEMORY), "no control group can be made here");
    try (SandboxSession session = Limited.session().memory("200M").open()) {
      for (int i = 0; i < ROUNDS; i++) {
        SandboxResult large = Attacker.run(session, "hold private 80 1 0");
        assertUnharmed(large);
        assertThat(large.usage().peakMemory().orElseThrow()).isBetween(80 * MIB, 110 * MIB);
        SandboxResult small = session.run("true");
        assertThat(small.usage().peakMemory().orElseThrow()).isBetween(1L, 20 * MIB);
      }
    }
  }

  @Test
  void theWholeBudgetOfMemoryIsItsOwn() {
    Limited.assumeKept(Limit.MEMORY);
    try (SandboxSession session = Limited.session().memory("64M").open()) {
      // Files that it is the first to read stay in memory, and are counted as its own.
      assertUnharmed(session.run("head -c 50000000 /dev/zero >file; cat file | wc -c; rm file"));
      for (int i = 0; i < ROUNDS; i++) {
        assertUnharmed(Attacker.run(session, "hold private 50 1 0"));
      }
      assertEnded(Attacker.run(session, "hold private 200 1 2000"), Limit.MEMORY);
      assertUnharmed(Attacker.run(session, "hold private 50 1 0"));
    }
  }

  @Test
  void aRefusalIsItsOwn() {
    assumeTrue(Limited.isGrouped(Limit.PROCESSES), "no control group can be made here");
    try (SandboxSession session = Limited.session().processes(20).open()) {
      for (int i = 0; i < ROUNDS; i++) {
        assertThat(Attacker.run(session, "forks 40 0").limitsHit())
            .containsExactly(Limit.PROCESSES);
        assertUnharmed(session.run("true"));
      }
    }
  }

  @Test
  void theWholeBudgetOfProcessesIsItsOwn() {
    assumeTrue(Limited.isGrouped(Limit.PROCESSES), "no control group can be made here");
    try (SandboxSession session = Limited.session().processes(20).open()) {
      for (int i = 0; i < 10 * ROUNDS; i++) {
        assertUnharmed(Attacker.run(session, "forks 20 0"));
      }
      assertThat(Attacker.run(session, "forks 21 0").limitsHit()).containsExactly(Limit.PROCESSES);
    }
  }

  @Test
  void processorTimeIsItsOwn() {
    assumeTrue(Limited.isGrouped(Limit.CPU_SECONDS), "no control group can be made here");
    try (SandboxSession session = Limited.session().cpuSeconds(2).open()) {
      for (int i = 0; i < ROUNDS; i++) {
        SandboxResult result = Attacker.run(session, "burn serial 1 600");
        assertUnharmed(result);
        assertThat(result.usage().cpu().orElseThrow())
            .isBetween(Duration.ofMillis(400), Duration.ofMillis(1_900));
      }
    }
  }
}
