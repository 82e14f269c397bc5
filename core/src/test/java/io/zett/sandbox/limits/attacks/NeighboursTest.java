package io.zett.sandbox.limits.attacks;

import static io.zett.sandbox.limits.attacks.Limited.assertEnded;
import static io.zett.sandbox.limits.attacks.Limited.assertUnharmed;
import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.Enforcement.Level;
import io.zett.sandbox.Limit;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.cases.outside.Sleepers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every command has the whole budget, whoever else runs or ran before. */
@ExtendWith(OuterGuard.class)
class NeighboursTest {

  @Test
  void twoSessionsSideBySideDoNotCountEachOther() {
    try (SandboxSession one = session();
        SandboxSession other = session()) {
      List<CompletableFuture<SandboxResult>> running = new ArrayList<>();
      for (SandboxSession session : List.of(one, other)) {
        running.add(session.runAsync(Attacker.command(session, "hold private 40 1 700")));
        running.add(session.runAsync(Attacker.command(session, "forks 12 700")));
        running.add(session.runAsync(Attacker.command(session, "burn parallel 2 400")));
      }
      running.forEach(each -> assertUnharmed(each.join()));
    }
  }

  @Test
  void oneThatIsEndedDoesNotTakeItsNeighbourAlong() {
    Limited.assumeKept(Limit.MEMORY);
    try (SandboxSession session = session()) {
      CompletableFuture<SandboxResult> good =
          session.runAsync(Attacker.command(session, "hold private 40 1 1500"));
      assertEnded(Attacker.run(session, "hold private 200 1 2000"), Limit.MEMORY);
      assertUnharmed(good.join());
    }
  }

  @Test
  void aHundredCommandsAfterExceededOnesKnowNothingOfThem() {
    try (SandboxSession session = session()) {
      if (Limited.how(Limit.MEMORY).level() != Level.NONE) {
        assertEnded(Attacker.run(session, "hold private 200 1 2000"), Limit.MEMORY);
      }
      SandboxResult burned = Attacker.run(session, "burn parallel 6 900");
      assertThat(burned.limitsHit()).contains(Limit.CPU_SECONDS);
      for (int i = 0; i < Surroundings.times(100, 10); i++) {
        SandboxResult result = session.run(SandboxCommand.of("echo", "ok"));
        assertUnharmed(result);
        assertThat(result.stdout()).isEqualTo("ok\n");
      }
      // Each has the whole budget: together these use more than one may.
      for (int i = 0; i < 3; i++) {
        assertUnharmed(Attacker.run(session, "burn serial 1 500"));
        assertUnharmed(Attacker.run(session, "hold private 40 1 0"));
      }
    }
  }

  @Test
  void manyCommandsAtOnceAreCountedEachByItself() {
    Set<Path> ours;
    try (SandboxSession session = session()) {
      ours = Placement.sessionGroups(session);
      List<CompletableFuture<SandboxResult>> running = new ArrayList<>();
      for (int i = 0; i < Surroundings.times(40, 6); i++) {
        running.add(session.runAsync(Attacker.command(session, "forks 15 50")));
      }
      running.forEach(each -> assertUnharmed(each.join()));
    }
    assertThat(ours).allSatisfy(group -> assertThat(group).doesNotExist());
  }

  @Test
  void sessionsWithBackgroundProcessesLeaveNothing() {
    Sleepers sleepers = new Sleepers();
    Set<Path> groups = new HashSet<>();
    for (int i = 0; i < Surroundings.times(40, 4); i++) {
      try (SandboxSession session = session()) {
        String background = "for i in 1 2 3 4 5; do " + sleepers.sleep() + " & done; echo";
        assertUnharmed(session.run(background));
        if (i % 4 == 0) {
          groups.addAll(Placement.sessionGroups(session));
        }
      }
    }
    sleepers.assertNone();
    assertThat(groups).allSatisfy(group -> assertThat(group).doesNotExist());
  }

  private static SandboxSession session() {
    int cpuSeconds = Surroundings.isSlow() ? 4 : 1; // Memory alone costs much there.
    return Limited.session().memory("64M").processes(20).cpuSeconds(cpuSeconds).cpus(1).open();
  }
}
