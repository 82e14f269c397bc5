package io.zett.sandbox.limits.attacks;

import static io.zett.sandbox.limits.attacks.Limited.assertUnharmed;
import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.Limit;
import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The largest file, and the most descriptors. */
@ExtendWith(OuterGuard.class)
class FileAttackTest {
  private static final long MOST = 50_000;

  @Test
  void oneByteOverIsRefusedAndTold() {
    try (SandboxSession session = Limited.session().maxFileSize(MOST).open()) {
      Path file = session.workspace().resolve("file");
      assertUnharmed(Attacker.run(session, "file file " + MOST));
      assertThat(file).hasSize(MOST);
      SandboxResult over = Attacker.run(session, "file file " + (MOST + 1));
      assertThat(over.outcome()).isEqualTo(new Outcome.LimitExceeded(Limit.FILE_SIZE));
      assertThat(over.limitsHit()).containsExactly(Limit.FILE_SIZE);
      assertThat(file).hasSize(MOST);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"quiet", "sparse", "fallocate"})
  void noWayAroundTheSignalMakesALargerFile(String how) {
    try (SandboxSession session = Limited.session().maxFileSize(MOST).open()) {
      SandboxResult over = Attacker.run(session, "file file " + (MOST + 1) + " " + how);
      assertThat(over.succeeded()).isFalse();
      assertThat(session.workspace().resolve("file").toFile().length()).isLessThanOrEqualTo(MOST);
    }
  }

  @Test
  void outputIsNotAFile() {
    try (SandboxSession session = Limited.session().maxFileSize(1).openFiles(16).open()) {
      SandboxResult result = session.run("head -c 300000 /dev/zero; echo error >&2");
      assertUnharmed(result);
      assertThat(result.stdoutTotalBytes()).isEqualTo(300_000);
      assertThat(result.stderr()).isEqualTo("error\n");
    }
  }

  @Test
  void aChildIsBoundedAsItsParentIs() {
    try (SandboxSession session = Limited.session().maxFileSize(MOST).openFiles(20).open()) {
      SandboxResult result =
          session.run(
              "(sh -c 'head -c 100000 /dev/zero > inner'); (sh -c './"
                  + Attacker.in(session)
                  + " files 100'); exit 0");
      assertThat(session.workspace().resolve("inner")).hasSize(MOST);
      assertThat(result.stdout()).hasSize(20);
    }
  }

  @Test
  void descriptorsAreTheCommandsAndNotTheLaunchers() {
    for (int most : new int[] {16, 40}) {
      try (SandboxSession session = Limited.session().openFiles(most).open()) {
        SandboxResult result = Attacker.run(session, "files 200");
        assertThat(Attacker.had(result)).isEqualTo(most);
        assertThat(result.stderr()).contains("refused: dup");
      }
    }
  }
}
