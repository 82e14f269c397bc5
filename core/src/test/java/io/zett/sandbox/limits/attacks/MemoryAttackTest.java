package io.zett.sandbox.limits.attacks;

import static io.zett.sandbox.limits.attacks.Limited.MIB;
import static io.zett.sandbox.limits.attacks.Limited.assertEnded;
import static io.zett.sandbox.limits.attacks.Limited.assertUnharmed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.Limit;
import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** 64 MiB must be enough for everybody in the tree together, whatever kind of memory it is. */
@ExtendWith(OuterGuard.class)
class MemoryAttackTest {
  private static final String BUDGET = "64M";

  @BeforeEach
  void memoryIsKept() {
    Limited.assumeKept(Limit.MEMORY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "private 200 1",
        "private 200 10",
        "shared 200 1",
        "shared 200 10",
        "memfd 200 1",
        "sysv 200 1",
        "/tmp/big 200 1",
        "/var/tmp/big 200 1",
        "/dev/shm/big 200 1"
      })
  void twoHundredMebibytesEndTheTree(String kind) {
    try (SandboxSession session = Limited.session().memory(BUDGET).scratchSize("400M").open()) {
      SandboxResult result = Attacker.run(session, "hold " + kind + " 2000");
      assertEnded(result, Limit.MEMORY);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"private 30 1", "private 30 10", "shared 30 10", "/dev/shm/small 30 1"})
  void whatFitsIsLeftAlone(String kind) {
    try (SandboxSession session = Limited.session().memory(BUDGET).open()) {
      SandboxResult result = Attacker.run(session, "hold " + kind + " 100");
      assertUnharmed(result);
    }
  }

  @Test
  void memoryThatProcessesShareIsCountedOnce() {
    try (SandboxSession session = Limited.session().memory(BUDGET).open()) {
      // A parent with 40 MiB and a child that has the same pages.
      SandboxResult result = session.run("exec ./" + Attacker.in(session) + " inherit 40 3 300");
      assertUnharmed(result);
    }
  }

  @Test
  void aChildThatIsKilledForMemoryIsTheLimitAlthoughItsShellExitsWithZero() {
    try (SandboxSession session = Limited.session().memory(BUDGET).open()) {
      SandboxResult result =
          session.run("./" + Attacker.in(session) + " hold private 200 1 2000; exit 0");
      assertEnded(result, Limit.MEMORY);
    }
  }

  @Test
  void outputFromBeforeIsThere() {
    try (SandboxSession session = Limited.session().memory(BUDGET).open()) {
      SandboxResult result =
          session.run("echo before; ./" + Attacker.in(session) + " hold private 200 1 2000");
      assertEnded(result, Limit.MEMORY);
      assertThat(result.stdout()).startsWith("before\n");
    }
  }

  @Test
  void aStoppedProcessIsEndedWithTheTree() {
    try (SandboxSession session = Limited.session().memory(BUDGET).open()) {
      String attacker = "./" + Attacker.in(session);
      SandboxResult result =
          session.run(
              attacker
                  + " hold private 20 1 60000 & kill -STOP $!; "
                  + attacker
                  + " hold private 200 1 2000");
      assertEnded(result, Limit.MEMORY);
    }
  }

  @Test
  void cachedFilesAreNotTheCommandsMemory() throws IOException {
    try (SandboxSession session = Limited.session().memory(BUDGET).open()) {
      Path big = session.workspace().resolve("big");
      try (RandomAccessFile file = new RandomAccessFile(big.toFile(), "rw")) {
        file.setLength(300 * MIB);
      }
      assertUnharmed(session.run("cat big big > /dev/null"));
      assertThat(big).hasSize(300 * MIB);
    }
  }

  @Test
  void writtenFilesAreNotTheCommandsMemory() {
    assumeFalse(Surroundings.isSlow(), "so much is not written on so slow a machine");
    try (SandboxSession session = Limited.session().memory(BUDGET).open()) {
      assertUnharmed(session.run("head -c 300M /dev/zero > written && cat written > /dev/null"));
    }
  }

  @Test
  void aJvmThatReservesMuchAndUsesLittleLives() {
    try (SandboxSession session = Limited.session().memory("300M").open()) {
      Path java = Path.of(System.getProperty("java.home"), "bin", "java");
      assertUnharmed(
          session.run(
              SandboxCommand.of(java.toString(), "-Xmx16g", "-XX:+UseSerialGC", "-version")));
    }
  }

  @Test
  void aNodeThatReservesMuchAndUsesLittleLives() {
    assumeTrue(Files.exists(Path.of("/usr/bin/node")), "node is not installed");
    assumeFalse(Surroundings.isSlow(), "node takes very long on so slow a machine");
    try (SandboxSession session = Limited.session().memory("300M").open()) {
      String reserve = "new WebAssembly.Memory({initial: 1, maximum: 65536}); console.log('lives')";
      SandboxResult result = session.run(SandboxCommand.of("/usr/bin/node", "-e", reserve));
      assertUnharmed(result);
      assertThat(result.stdout()).isEqualTo("lives\n");
    }
  }

  @Test
  void scratchIsBoundedWithoutAnyOption() {
    try (SandboxSession session = Limited.session().memory(BUDGET).open()) {
      SandboxResult result = Attacker.run(session, "hold /dev/shm/big 300 1 0");
      assertThat(result.succeeded()).isFalse();
      assertThat(Attacker.had(result)).isLessThanOrEqualTo(Attacks.MEMORY_MIB);
      // Semaphores and the like work there.
      assertUnharmed(session.run("echo x > /dev/shm/small && cat /dev/shm/small"));
    }
  }

  @Test
  void theLeastThatCanBeAskedForRunsAShell() {
    try (SandboxSession session = Limited.session().memory("4M").open()) {
      SandboxResult result = session.run("echo alive");
      assertUnharmed(result);
      assertThat(result.stdout()).isEqualTo("alive\n");
    }
  }

  @Test
  void whatACommandFindsOutOfMemoryByItselfIsItsOwnResult() {
    try (SandboxSession session = Limited.session().open()) {
      SandboxResult result = session.run("kill -9 $$");
      assertThat(result.outcome()).isEqualTo(new Outcome.Signaled(9));
      assertThat(result.limitsHit()).isEmpty();
    }
  }
}
