package io.zett.sandbox.cases.ending;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.cases.outside.ChildJvm;
import io.zett.sandbox.cases.outside.Eventually;
import io.zett.sandbox.cases.outside.Possessions;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** H05: a JVM that is killed at any moment leaves nothing that the next opening does not remove. */
class RandomKillTest {
  /** Each starts a JVM; the soak test does a hundred. */
  private static final int ROUNDS = Integer.getInteger("zett.test.kills", 4);

  @TempDir Path base;

  @Test
  void nothingIsLeftOfAJvmThatWasKilledAtAnyMomentOnceAnotherHasOpenedASession()
      throws IOException {
    Random random = new Random();
    Path temporary = Files.createDirectory(base.resolve("tmp"));
    Path workspace = Files.createDirectory(base.resolve("given"));
    List<Long> killed = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      // A session of its own by which everything that it starts can be told.
      try (ChildJvm jvm =
          ChildJvm.of(Restless.class)
              .wrapper("setsid")
              .temporary(temporary)
              .start(workspace.toString())) {
        jvm.line();
        LockSupport.parkNanos(random.nextLong(200_000_000));
        killed.add(jvm.pid());
        jvm.signal("KILL");
        assertThat(jvm.await()).isEqualTo(137);
      }
    }
    // A launcher that was left half-made is only told from a living one by its age.
    Eventually.within(
        Duration.ofSeconds(60),
        () -> "no process of the killed JVMs is left: " + ofSessions(killed),
        () -> {
          openOnce(temporary, workspace);
          return ofSessions(killed).isEmpty();
        });
    assertThat(Possessions.entries(temporary))
        .noneMatch(path -> path.getFileName().toString().startsWith("zett-"));
    assertThat(workspace).isEmptyDirectory();
  }

  private static void openOnce(Path temporary, Path workspace) {
    try (ChildJvm next =
        ChildJvm.of(OpenOnce.class).temporary(temporary).start(workspace.toString())) {
      assertThat(next.lines()).containsExactly("ran");
      assertThat(next.await()).isZero();
    }
  }

  /** The processes of these sessions (setsid(2)), with what /proc says of them. */
  private static List<String> ofSessions(List<Long> sessions) {
    List<String> found = new ArrayList<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[1-9]*")) {
      for (Path process : processes) {
        String stat = stat(process);
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).split(" ", -1);
        if (fields.length > 4 && sessions.contains(Long.valueOf(fields[4]))) {
          found.add(stat);
        }
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return found;
  }

  private static String stat(Path process) {
    try {
      return Files.readString(process.resolve("stat"));
    } catch (IOException e) {
      return ""; // gone
    }
  }
}
