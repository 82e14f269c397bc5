package io.zett.sandbox.cases.ending;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.cases.outside.ChildJvm;
import io.zett.sandbox.cases.outside.ControlGroups;
import io.zett.sandbox.cases.outside.Eventually;
import io.zett.sandbox.cases.outside.Possessions;
import io.zett.sandbox.cases.outside.Sleepers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** H05: however a JVM ends, no process of its commands lives on. */
class JvmDeathTest {
  private static final int SESSIONS = 4;

  @TempDir Path base;
  private final Sleepers sleepers = new Sleepers();
  private Path temporary;
  private Path given;
  private Set<String> groups = Set.of();
  private long ticks;

  @BeforeEach
  void directories() throws IOException {
    temporary = Files.createDirectory(base.resolve("tmp"));
    given = Files.createDirectory(base.resolve("given"));
  }

  @Test
  void nothingLivesOnAfterTheJvmWasKilledAndTheNextOpenRemovesItsRemains() throws IOException {
    try (ChildJvm victim = start("wait")) {
      victim.signal("KILL");
      assertThat(victim.await()).isEqualTo(137);
      assertAllDead();
    }
    assertThat(privateDirectories()).hasSize(SESSIONS);
    assertNextOpenSweeps();
  }

  @Test
  void nothingLivesOnAfterTheJvmHalted() throws IOException {
    try (ChildJvm victim = start("halt")) {
      victim.go();
      assertThat(victim.await()).isEqualTo(4);
      assertAllDead();
    }
    assertNextOpenSweeps();
  }

  @ParameterizedTest
  @CsvSource({"TERM, 143", "INT, 130", "HUP, 129"})
  void aSignalEndsTheJvmWithEverythingThatItStartedAndMade(String signal, int status)
      throws IOException {
    try (ChildJvm victim = start("wait")) {
      victim.signal(signal);
      assertThat(victim.await()).isEqualTo(status);
      assertNothingIsLeft();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"exit", "exit-in-callback"})
  void exitingLeavesNothing(String how) throws IOException {
    try (ChildJvm victim = start(how)) {
      victim.go();
      assertThat(victim.await()).isEqualTo(3);
      assertNothingIsLeft();
    }
  }

  @Test
  void aJvmEndsWhenItsMainMethodDoesAndLeavesNothing() throws IOException {
    try (ChildJvm victim = start("return")) {
      victim.go();
      assertThat(victim.await()).isZero();
      assertNothingIsLeft();
    }
  }

  @Test
  void aLivingJvmsDirectoriesAreNotSwept() throws IOException {
    try (ChildJvm living = start("wait")) {
      List<Path> before = privateDirectories();
      assertThat(before).hasSize(SESSIONS);
      try (ChildJvm other = ChildJvm.of(OpenOnce.class).temporary(temporary).start()) {
        assertThat(other.lines()).containsExactly("ran");
        assertThat(other.await()).isZero();
      }
      assertThat(privateDirectories()).isEqualTo(before);
      living.signal("TERM");
      assertThat(living.await()).isEqualTo(143);
    }
    assertNothingIsLeft();
  }

  private ChildJvm start(String how) throws IOException {
    ChildJvm victim =
        ChildJvm.of(Victim.class)
            .temporary(temporary)
            .start(how, sleepers.argument(), given.toString());
    List<String> workspaces = new ArrayList<>();
    for (int i = 0; i < SESSIONS; i++) {
      workspaces.add(victim.line());
    }
    assertThat(workspaces).doesNotHaveDuplicates();
    // One in each session, and one that has detached.
    Eventually.within(
        Duration.ofSeconds(60),
        () -> "all are running: " + sleepers.alive(),
        () -> sleepers.sleeping().size() == SESSIONS + 1 && Files.exists(given.resolve("ticks")));
    groups = ControlGroups.of(sleepers.alive());
    return victim;
  }

  /** The kernel does it when the JVM is gone; nobody could wait for that. */
  private void assertAllDead() throws IOException {
    sleepers.assertNoneSoon();
    ticks = Files.size(given.resolve("ticks"));
  }

  private void assertNothingIsLeft() throws IOException {
    sleepers.assertNone();
    assertThat(privateDirectories()).isEmpty();
    assertThat(ControlGroups.existing(groups)).isEmpty();
    assertThat(given.resolve("ticks")).exists();
  }

  private void assertNextOpenSweeps() throws IOException {
    try (ChildJvm next = ChildJvm.of(OpenOnce.class).temporary(temporary).start()) {
      assertThat(next.lines()).containsExactly("ran");
      assertThat(next.await()).isZero();
    }
    assertThat(privateDirectories()).isEmpty();
    assertThat(ControlGroups.existing(groups)).isEmpty();
    assertThat(given.resolve("ticks")).as("what detached is dead").hasSize(ticks);
  }

  private List<Path> privateDirectories() {
    return Possessions.entries(temporary).stream()
        .filter(path -> path.getFileName().toString().startsWith("zett-"))
        .toList();
  }
}
