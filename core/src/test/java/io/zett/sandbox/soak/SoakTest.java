package io.zett.sandbox.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.cases.outside.ChildJvm;
import io.zett.sandbox.cases.outside.ControlGroups;
import io.zett.sandbox.cases.outside.Possessions;
import io.zett.sandbox.cases.outside.Sleepers;
import io.zett.sandbox.limits.attacks.OuterGuard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** After thousands of commands, half of them hostile, all is as it was, and nothing was lost. */
@ExtendWith(OuterGuard.class)
class SoakTest {
  private static final long LOOK_NANOS = 20_000_000;

  @TempDir Path base;
  private final Sleepers sleepers = new Sleepers();
  private final Set<String> groups = new ConcurrentSkipListSet<>();
  private volatile boolean isLooking = true;

  @Test
  @Timeout(value = 2, unit = TimeUnit.DAYS) // the child has a limit of its own
  void aJvmThatRanThousandsOfCommandsHoldsNoMoreThanBeforeAndLostNothing() throws Exception {
    Path temporary = Files.createDirectory(base.resolve("tmp"));
    Path given = Files.createDirectory(base.resolve("given"));
    try (ChildJvm jvm =
        ChildJvm.of(Soak.class)
            .wrapper("setsid")
            .temporary(temporary)
            // Else three of four full collections leave some of the dead where they are.
            .options("-XX:MarkSweepAlwaysCompactCount=1")
            .env(Soak.SLEEP, sleepers.argument())
            .start(
                Long.toString(Settings.seconds()),
                Long.toString(Settings.seed("soak")),
                given.toString())) {
      List<String> said = linesUntil(jvm, "begin");
      List<Path> files = Possessions.entries(temporary);
      List<String> mounts = mounts(jvm);
      Thread looking = Thread.ofPlatform().daemon().start(() -> lookForGroups(jvm));
      jvm.go();
      said.addAll(linesUntil(jvm, "end"));
      sleepers.assertNone();
      isLooking = false;
      looking.join();
      said.forEach(line -> System.out.println("soak: " + line));
      assertThat(said).noneMatch(line -> line.startsWith("failed: "));
      assertThat(descendants(jvm)).isEmpty();
      assertThat(ControlGroups.existing(groups)).isEmpty();
      assertThat(Possessions.entries(temporary)).isEqualTo(files);
      assertThat(mounts(jvm)).isEqualTo(mounts);
      jvm.go();
      assertThat(jvm.await()).isZero();
    }
    assertThat(Possessions.entries(temporary))
        .noneMatch(path -> path.getFileName().toString().startsWith("zett-"));
  }

  private static List<String> linesUntil(ChildJvm jvm, String last) {
    List<String> lines = new ArrayList<>();
    for (String line = jvm.line(); !line.equals(last); line = jvm.line()) {
      lines.add(line);
    }
    return lines;
  }

  private static List<String> mounts(ChildJvm jvm) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + jvm.pid() + "/mountinfo"));
  }

  private static List<Long> descendants(ChildJvm jvm) {
    return ProcessHandle.of(jvm.pid()).stream()
        .flatMap(ProcessHandle::descendants)
        .map(ProcessHandle::pid)
        .toList();
  }

  /** The groups that sessions have meanwhile. */
  private void lookForGroups(ChildJvm jvm) {
    while (isLooking) {
      try {
        groups.addAll(ControlGroups.heldBy(jvm.pid()));
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }
}
