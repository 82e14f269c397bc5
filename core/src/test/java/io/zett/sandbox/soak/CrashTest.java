package io.zett.sandbox.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.cases.ending.OpenOnce;
import io.zett.sandbox.cases.outside.ChildJvm;
import io.zett.sandbox.cases.outside.Eventually;
import io.zett.sandbox.cases.outside.Sleepers;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * H05: a JVM that is killed at any moment, with sessions that open, run and close, leaves no living
 * process of a command, and nothing that the next opening does not remove.
 */
class CrashTest {
  /**
   * From the JVM's death to that of the last process of a command, seen from outside; as much more
   * as there is more to do here than processors to do it.
   */
  private static final Duration AT_ONCE = Duration.ofSeconds(1);

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long LONGEST_START = Duration.ofMillis(700).toNanos();
  private static final long LONGEST_WORK = Duration.ofMillis(200).toNanos();

  @TempDir Path base;
  private final Sleepers sleepers = new Sleepers();
  private final Random random = new Random(Settings.seed("crash"));
  private final Tally tally = new Tally();
  private final List<Kill> kills = new ArrayList<>();
  private Path temporary;
  private Path workspace;
  private Path phases;
  private long longestNanos;

  @BeforeEach
  void folders() throws IOException {
    temporary = Files.createDirectory(base.resolve("tmp"));
    workspace = Files.createDirectory(base.resolve("given"));
    phases = base.resolve("phases");
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void nothingIsLeftOfAJvmThatWasKilledAtAnyMomentOnceAnotherHasOpenedASession()
      throws IOException {
    for (int round = 0; round < Settings.kills(); round++) {
      killOne(random.nextInt(4) == 0);
    }
    // A launcher that was left half-made is only told from a living one by its age.
    Eventually.within(
        PATIENCE,
        () -> "no process of the killed JVMs is left: " + processes(),
        () -> {
          openOnce();
          return processes().isEmpty();
        });
    assertThat(Kill.left(temporary)).isEmpty();
    assertThat(kills).allSatisfy(kill -> assertThat(kill.remains()).isEmpty());
    assertThat(workspace).isEmptyDirectory();
    System.out.printf(
        "crash: %s; the last process was dead %d ms after the kill at most%n",
        tally.summary(), TimeUnit.NANOSECONDS.toMillis(longestNanos));
  }

  /** One more JVM, killed while it starts or while it works. */
  private void killOne(boolean whileStarting) throws IOException {
    Files.deleteIfExists(phases);
    try (ChildJvm jvm =
        ChildJvm.of(Restless.class)
            .wrapper("setsid")
            .temporary(temporary)
            .env(Restless.SLEEP, sleepers.argument())
            .start(workspace.toString(), phases.toString())) {
      if (whileStarting) {
        LockSupport.parkNanos(random.nextLong(LONGEST_START));
      } else {
        jvm.line();
        assertNothingIsLeft();
        LockSupport.parkNanos(random.nextLong(LONGEST_WORK));
      }
      Kill kill = Kill.of(jvm.pid(), sleepers);
      jvm.signal("KILL");
      long begin = System.nanoTime();
      assertThat(jvm.await()).isEqualTo(137);
      Eventually.within(
          atOnce(), () -> "all dead: " + described(kill), () -> living(kill).isEmpty());
      longestNanos = Math.max(longestNanos, System.nanoTime() - begin);
      kill.died(temporary);
      kills.add(kill);
      tell(kill);
    }
  }

  private static Duration atOnce() {
    OperatingSystemMXBean machine = ManagementFactory.getOperatingSystemMXBean();
    double load = machine.getSystemLoadAverage() / machine.getAvailableProcessors();
    return AT_ONCE.multipliedBy(Math.max(1, (long) Math.ceil(load)));
  }

  /** An opening of the JVM that works now has looked for it. */
  private void assertNothingIsLeft() {
    if (!kills.isEmpty()) {
      Kill last = kills.getLast();
      // Another thread of that JVM may be about to delete it.
      Eventually.within(
          PATIENCE, () -> "removed: " + last.remains(), () -> last.remains().isEmpty());
    }
  }

  private static List<Long> living(Kill kill) {
    return kill.processes().stream().filter(pid -> !SessionProcesses.isLauncher(pid)).toList();
  }

  private static List<String> described(Kill kill) {
    return living(kill).stream().map(SessionProcesses::describe).toList();
  }

  private List<Long> processes() {
    return kills.stream().flatMap(kill -> kill.processes().stream()).toList();
  }

  private void tell(Kill kill) throws IOException {
    tally.count("kills");
    tally.add("directories left", kill.directories());
    tally.add("groups left", kill.groups().size());
    tally.add("launchers left", kill.processes().size());
    tally.add("placeholders left", Files.exists(workspace.resolve("missing")) ? 1 : 0);
    byte[] doing = Files.exists(phases) ? Files.readAllBytes(phases) : new byte[0];
    for (byte phase : doing) {
      switch (phase) {
        case Restless.OPENING -> tally.count("killed while opening");
        case Restless.RUNNING -> tally.count("killed while running");
        case Restless.CLOSING -> tally.count("killed while closing");
        default -> tally.count("killed before that");
      }
    }
  }

  private void openOnce() {
    try (ChildJvm next =
        ChildJvm.of(OpenOnce.class).temporary(temporary).start(workspace.toString())) {
      assertThat(next.lines()).containsExactly("ran");
      assertThat(next.await()).isZero();
    }
  }
}
