package io.zett.sandbox.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The life of a session's groups. Directories are directories, whatever file system is below. */
class SessionGroupsTest {
  private static final Set<Controller> USED = Set.of(Controller.MEMORY, Controller.PIDS);

  @TempDir Path memory;
  @TempDir Path pids;

  private final Posix posix = Posix.system();

  @Test
  void aSessionHasOneGroupInEachTreeAndEachCommandOneBelow() throws IOException {
    try (SessionGroups groups = open()) {
      assertThat(names(memory)).singleElement().asString().matches("zett-[0-9a-f]{12}");
      assertThat(names(pids)).hasSize(1);
      Map<Controller, UnixPath> first = groups.makeCommandGroups(USED);
      Map<Controller, UnixPath> second = groups.makeCommandGroups(USED);
      assertThat(first).containsOnlyKeys(USED);
      assertThat(first.values()).doesNotContainAnyElementsOf(second.values());
      groups.remove(first.values());
      assertThat(Files.exists(first.get(Controller.MEMORY).toPath())).isFalse();
      assertThat(Files.exists(second.get(Controller.PIDS).toPath())).isTrue();
    }
    assertNothingIsLeft();
  }

  @Test
  void whatWasBusyIsRemovedLater() throws IOException {
    try (SessionGroups groups = open()) {
      Map<Controller, UnixPath> first = groups.makeCommandGroups(USED);
      Path busy = Files.createDirectory(first.get(Controller.MEMORY).toPath().resolve("busy"));
      groups.remove(first.values());
      assertThat(busy).exists();
      Files.delete(busy);
      groups.remove(groups.makeCommandGroups(USED).values());
      assertThat(busy.getParent()).doesNotExist();
    }
  }

  @Test
  void theGroupsOfADeadOwnerAreSwept() throws IOException {
    Path dead = Files.createDirectory(memory.resolve("zett-0123456789ab"));
    Files.createDirectory(dead.resolve("1"));
    Files.createDirectory(memory.resolve("zett-probe-6ba7b810-9dad-11d1-80b4-00c04fd430c8"));
    open().close();
    assertNothingIsLeft();
  }

  @Test
  void theGroupsOfADeadOwnerAreSweptByOneThatUsesOtherControllers() throws IOException {
    Files.createDirectory(memory.resolve("zett-0123456789ab"));
    Files.createDirectory(pids.resolve("zett-0123456789ab"));
    SessionGroups.open(posix, sites(), Set.of(Controller.PIDS), null).close();
    assertNothingIsLeft();
  }

  @Test
  void aPlaceThatIsGoneHoldsUpNoSweep() throws IOException {
    Files.createDirectory(memory.resolve("zett-0123456789ab"));
    Files.delete(pids);
    SessionGroups.sweep(posix, sites());
    assertThat(names(memory)).isEmpty();
  }

  @Test
  void theGroupsOfALivingOwnerAreNot() throws IOException {
    Path living = Files.createDirectory(memory.resolve("zett-0123456789ab"));
    int lock = posix.open(UnixPath.of(living), Constants.O_RDONLY | Constants.O_DIRECTORY, 0);
    try {
      assertThat(posix.flock(lock, Constants.LOCK_EX | Constants.LOCK_NB)).isTrue();
      open().close();
      assertThat(living).exists();
    } finally {
      posix.close(lock);
    }
    open().close();
    assertThat(living).doesNotExist();
  }

  @Test
  void whatOnlyLooksSimilarIsSomebodyElses() throws IOException {
    List<String> others =
        List.of("zett-", "zett-test", "zett-0123456789abc", "zett-0123456789AB", "x-0123456789ab");
    for (String name : others) {
      Files.createDirectory(memory.resolve(name));
    }
    open().close();
    assertThat(names(memory)).containsExactlyInAnyOrderElementsOf(others);
    for (String name : others) {
      Files.delete(memory.resolve(name));
    }
  }

  @Test
  void sessionsThatOpenAtOnceDoNotSweepEachOther() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Future<SessionGroups>> opened =
          IntStream.range(0, 64).mapToObj(_ -> threads.submit(this::open)).toList();
      for (Future<SessionGroups> each : opened) {
        assertThat(each.get().makeCommandGroups(USED)).hasSize(2);
      }
      assertThat(names(memory)).hasSize(64);
      for (Future<SessionGroups> each : opened) {
        each.get().close();
      }
    }
    assertNothingIsLeft();
  }

  @Test
  void whatFailsHalfwayIsUndone() throws IOException {
    Path missing = pids.resolve("missing");
    GroupSites sites =
        new GroupSites(
            Map.of(Controller.MEMORY, UnixPath.of(memory), Controller.PIDS, UnixPath.of(missing)),
            Optional.empty(),
            Optional.empty(),
            "");
    assertThatThrownBy(() -> SessionGroups.open(posix, sites, USED, null))
        .hasMessageContaining("missing");
    assertNothingIsLeft();
  }

  private SessionGroups open() {
    return SessionGroups.open(posix, sites(), USED, null);
  }

  private GroupSites sites() {
    return new GroupSites(
        Map.of(Controller.MEMORY, UnixPath.of(memory), Controller.PIDS, UnixPath.of(pids)),
        Optional.empty(),
        Optional.empty(),
        "");
  }

  private void assertNothingIsLeft() throws IOException {
    assertThat(names(memory)).isEmpty();
    assertThat(names(pids)).isEmpty();
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.map(path -> path.getFileName().toString()).toList();
    }
  }
}
