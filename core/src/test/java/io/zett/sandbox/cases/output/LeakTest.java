package io.zett.sandbox.cases.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxException;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.cases.outside.Possessions;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** I13: commands of every fate leave neither descriptors nor threads nor processes. */
class LeakTest {

  @Test
  void commandsOfEveryFateLeaveNothingInThisJvm() {
    try (SandboxSession session = SandboxSession.builder().memory("1GB").open()) {
      everyFate(session, 3);
      Possessions before = Possessions.now();
      everyFate(session, 25);
      before.assertRegained();
      assertThat(session.run("echo again").stdout()).isEqualTo("again\n");
    }
  }

  @Test
  void sessionsLeaveNothingInThisJvm() {
    openAndClose(2);
    Possessions before = Possessions.now();
    openAndClose(40);
    before.assertRegained();
  }

  private static void openAndClose(int rounds) {
    for (int i = 0; i < rounds; i++) {
      try (SandboxSession session = SandboxSession.builder().memory("1GB").open()) {
        if (i % 2 == 0) {
          assertThat(session.run(List.of("true")).succeeded()).isTrue();
        } else {
          session.runAsync("sleep 600");
        }
      }
    }
  }

  private static void everyFate(SandboxSession session, int rounds) {
    SandboxCommand late = SandboxCommand.of("sleep", "600").timeout(Duration.ofMillis(1));
    SandboxCommand lost = SandboxCommand.of("true").cwd(Path.of("missing"));
    SandboxCommand unfed = SandboxCommand.of("true").input(Path.of("/missing"));
    for (int i = 0; i < rounds; i++) {
      assertThat(session.run(List.of("true")).succeeded()).isTrue();
      assertThat(session.run(late).timedOut()).isTrue();
      assertThat(session.run("sleep 600 & kill -9 $$").exitCode()).isEqualTo(137);
      assertThat(session.run(List.of("missing")).exitCode()).isEqualTo(127);
      assertThatThrownBy(() -> session.run(lost)).isInstanceOf(SandboxSetupException.class);
      assertThatThrownBy(() -> session.run(unfed)).isInstanceOf(SandboxException.class);
      session.run(
          SandboxCommand.shell("head -c 10").input(new ByteArrayInputStream(new byte[300_000])));
      List<CompletableFuture<SandboxResult>> futures = new ArrayList<>();
      futures.add(session.runAsync("sleep 600"));
      futures.add(session.runAsync("echo; sleep 600 &"));
      futures.getFirst().cancel(true);
      assertThat(futures.getLast().join().succeeded()).isTrue();
    }
  }
}
