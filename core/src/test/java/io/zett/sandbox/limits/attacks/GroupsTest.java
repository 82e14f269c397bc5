package io.zett.sandbox.limits.attacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.Limit;
import io.zett.sandbox.MemoryStrategy;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.cases.outside.ChildJvm;
import io.zett.sandbox.cases.outside.Eventually;
import io.zett.sandbox.cases.outside.Sleepers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a limit does to the machine's control groups: only its own come, and they go. */
@ExtendWith(OuterGuard.class)
class GroupsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @BeforeAll
  static void memoryIsCountedInAGroup() {
    assumeTrue(Limited.isGrouped(Limit.MEMORY), "no control group can be made here");
  }

  @Test
  void onlyTheCommandIsInItsGroup() throws IOException {
    Map<String, String> before = membershipOfThreads();
    Map<Path, String> offers = Groups.offers();
    try (SandboxSession session = session()) {
      Sleepers sleepers = new Sleepers();
      CompletableFuture<?> running =
          session.runAsync(SandboxCommand.of("sleep", sleepers.argument()));
      sleepers.awaitFirst();
      Path command = Path.of("/proc", sleepers.alive().getFirst().toString());
      assertThat(Files.readString(command.resolve("cgroup"))).containsPattern("/zett-[0-9a-f]+/1");
      assertThat(membershipOfThreads()).isEqualTo(before);
      // The launchers are this JVM's children.
      ProcessHandle.current()
          .children()
          .map(child -> Path.of("/proc", Long.toString(child.pid())))
          .filter(child -> contains(child.resolve("comm"), "bwrap"))
          .forEach(
              child ->
                  assertThat(contains(child.resolve("cgroup"), "/zett-")).as("launcher").isFalse());
      running.cancel(true);
    }
    assertThat(Groups.offers()).containsAllEntriesOf(unchanged(offers));
  }

  /** Groups of others may come and go meanwhile; those of our own user's systemd, too. */
  private static Map<Path, String> unchanged(Map<Path, String> offers) {
    Map<Path, String> lasting = new TreeMap<>(offers);
    lasting.keySet().removeIf(file -> !Files.exists(file));
    // For a scope of our own, as for any, systemd offers more in the slices that it is in.
    if (Files.exists(Path.of("/run/systemd/system"))) {
      lasting.keySet().removeIf(file -> file.getParent().toString().endsWith(".slice"));
      lasting.remove(Path.of("/sys/fs/cgroup/cgroup.subtree_control"));
    }
    return lasting;
  }

  @Test
  void closingRemovesEveryGroup() {
    Set<Path> ours;
    try (SandboxSession session = session()) {
      ours = Placement.sessionGroups(session);
      assertThat(ours).isNotEmpty().allSatisfy(group -> assertThat(group).isDirectory());
    }
    assertThat(ours).allSatisfy(group -> assertThat(group).doesNotExist());
  }

  @Test
  void whatAKilledJvmLeftIsGoneAtTheNextOpen() {
    Sleepers sleepers = new Sleepers();
    Set<Path> left;
    try (ChildJvm victim =
        ChildJvm.of(Holder.class).env(Holder.ARGUMENT, sleepers.argument()).start()) {
      assertThat(victim.line()).isEqualTo("open");
      sleepers.awaitFirst();
      left = Placement.sessionGroups(sleepers.alive().getFirst());
      victim.signal("KILL");
      assertThat(victim.await()).isEqualTo(137);
    }
    sleepers.assertNoneSoon();
    assertThat(left).isNotEmpty();
    session().close();
    // What was in a scope is systemd's to remove.
    Eventually.within(PATIENCE, left + " are gone", () -> left.stream().noneMatch(Files::exists));
  }

  @Test
  void aLivingJvmsGroupsAreNotSwept() {
    Sleepers sleepers = new Sleepers();
    try (ChildJvm living =
        ChildJvm.of(Holder.class).env(Holder.ARGUMENT, sleepers.argument()).start()) {
      assertThat(living.line()).isEqualTo("open");
      sleepers.awaitFirst();
      for (int i = 0; i < 3; i++) {
        session().close();
      }
      assertThat(sleepers.alive()).isNotEmpty();
      living.signal("TERM");
      assertThat(living.await()).isEqualTo(143);
    }
    sleepers.assertNone();
  }

  /** A JVM that runs one command in groups until it is ended. */
  static final class Holder {
    /** A variable, so that this JVM does not look like its command. */
    static final String ARGUMENT = "HELD_SLEEP";

    private Holder() {}

    public static void main(String[] arguments) {
      SandboxSession session = session();
      CompletableFuture<?> running =
          session.runAsync(SandboxCommand.of("sleep", System.getenv(ARGUMENT)).noTimeout());
      System.out.println("open");
      running.join();
    }
  }

  @Test
  void commandsThatRunAtOnceHaveGroupsOfTheirOwn() {
    Sleepers sleepers = new Sleepers();
    try (SandboxSession session = session()) {
      SandboxCommand sleep = SandboxCommand.of("sleep", sleepers.argument());
      List<CompletableFuture<?>> running =
          List.of(session.runAsync(sleep), session.runAsync(sleep));
      Eventually.within(PATIENCE, "both run", () -> sleepers.alive().size() == 2);
      Map<String, Path> first = Placement.directories(sleepers.alive().getFirst());
      Map<String, Path> second = Placement.directories(sleepers.alive().getLast());
      assertThat(first.get("memory")).isNotEqualTo(second.get("memory"));
      assertThat(first.get("memory").getParent()).isEqualTo(second.get("memory").getParent());
      running.forEach(each -> each.cancel(true));
    }
    sleepers.assertNoneSoon();
  }

  @Test
  void aForcedGroupIsUsed() {
    try (SandboxSession session =
        Limited.session().memory("64M").memoryStrategy(MemoryStrategy.CGROUP).open()) {
      assertThat(Placement.in(session).group("memory")).startsWith("cgroup");
      assertThat(session.capabilities().enforcement(Limit.MEMORY).mechanism()).startsWith("cgroup");
    }
  }

  private static SandboxSession session() {
    return Limited.session().memory("64M").processes(50).cpuSeconds(50).cpus(1).open();
  }

  private static Map<String, String> membershipOfThreads() throws IOException {
    Map<String, String> found = new TreeMap<>();
    try (var tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
      for (Path task : tasks) {
        try {
          String groups = Files.readString(task.resolve("cgroup"));
          found.put("any thread is in " + groups, "");
        } catch (NoSuchFileException e) {
          // It has ended since it was listed.
        }
      }
    }
    return found;
  }

  private static boolean contains(Path file, String text) {
    try {
      return Files.readString(file).contains(text);
    } catch (IOException e) {
      if (Files.exists(file)) {
        throw new UncheckedIOException(e);
      }
      return false;
    }
  }
}
