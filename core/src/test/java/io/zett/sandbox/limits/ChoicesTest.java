package io.zett.sandbox.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.Enforcement;
import io.zett.sandbox.Enforcement.Level;
import io.zett.sandbox.Enforcement.Scope;
import io.zett.sandbox.Limit;
import io.zett.sandbox.MemoryStrategy;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.posix.UnixPath;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which mechanism is chosen for a limit, on machines that are made up. */
class ChoicesTest {
  private static final UnixPath PLACE = UnixPath.ofText("/sys/fs/cgroup/place");
  private static final GroupSites NONE = GroupSites.none("ask for groups");

  @Test
  void eachLimitIsChosenByItself() {
    // Memory can be counted in a group, processes cannot.
    Choices choices = choose(MemoryStrategy.AUTO, user(6, 1), sites(false, Controller.MEMORY));
    assertThat(how(choices, Limit.MEMORY)).isEqualTo("cgroup v1 tree full");
    assertThat(how(choices, Limit.PROCESSES)).isEqualTo("RLIMIT_NPROC tree full");
    assertThat(how(choices, Limit.CPUS)).isEqualTo("none tree none");
    assertThat(how(choices, Limit.CPU_SECONDS)).isEqualTo("watchdog, RLIMIT_CPU tree partial");
    assertThat(choices.usesGroup(Limit.MEMORY)).isTrue();
    assertThat(choices.isWatched(Limit.MEMORY)).isFalse();
    assertThat(choices.isWatched(Limit.CPU_SECONDS)).isTrue();
    assertThat(choices.usesResourceLimit(Limit.PROCESSES)).isTrue();
  }

  @ParameterizedTest
  @EnumSource(
      value = Limit.class,
      names = {"MEMORY", "CPUS", "CPU_SECONDS", "PROCESSES"})
  void aUnifiedTreeKeepsItForTheTree(Limit limit) {
    Choices choices = choose(MemoryStrategy.AUTO, user(6, 1), sites(true, Controller.values()));
    assertThat(how(choices, limit)).isEqualTo("cgroup v2 tree full");
    assertThat(choices.isWatched(limit)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"5, 13, false", "5, 14, true", "4, 19, false", "6, 0, true"})
  void oldKernelsCountTheProcessesOfTheWholeUser(int major, int minor, boolean perNamespace) {
    Choices choices = choose(MemoryStrategy.AUTO, user(major, minor), NONE);
    assertThat(choices.usesResourceLimit(Limit.PROCESSES)).isEqualTo(perNamespace);
    assertThat(choices.isWatched(Limit.PROCESSES)).isNotEqualTo(perNamespace);
  }

  @Test
  void rootIsNotBoundByAResourceLimitOfProcesses() {
    LimitSurroundings root = new LimitSurroundings(true, true, 6, 18, true);
    assertThat(how(choose(MemoryStrategy.AUTO, root, NONE), Limit.PROCESSES))
        .isEqualTo("watchdog tree partial");
  }

  @Test
  void withoutANamespaceTheTreeIsWatchedAndScratchIsNot() {
    LimitSurroundings plain = new LimitSurroundings(false, false, 6, 18, true);
    Choices choices = choose(MemoryStrategy.AUTO, plain, NONE);
    assertThat(how(choices, Limit.MEMORY)).isEqualTo("watchdog tree partial");
    assertThat(how(choices, Limit.PROCESSES)).isEqualTo("watchdog tree partial");
    assertThat(how(choices, Limit.CPU_SECONDS)).isEqualTo("watchdog, RLIMIT_CPU tree partial");
    assertThat(how(choices, Limit.SCRATCH_SIZE)).isEqualTo("none tree none");
    assertThat(choices.hasPidNamespace()).isFalse();
    assertThat(choices.enforcements().get(Limit.MEMORY).detail()).contains("nor are scratch files");
  }

  @Test
  void whatIsMissingNamesItsMend() {
    Choices choices = choose(MemoryStrategy.AUTO, user(6, 1), NONE);
    assertThat(choices.enforcements().get(Limit.CPUS).detail())
        .endsWith("; for more: ask for groups");
    assertThat(choices.enforcements().get(Limit.MEMORY).detail()).endsWith("ask for groups");
  }

  @ParameterizedTest
  @CsvSource({
    "AUTO, cgroup v2 tree full",
    "CGROUP, cgroup v2 tree full",
    "WATCHDOG, watchdog tree partial",
    "RLIMIT, RLIMIT_AS process partial"
  })
  void aForcedStrategyIsTaken(MemoryStrategy strategy, String expected) {
    Choices choices = choose(strategy, user(6, 1), sites(true, Controller.values()));
    assertThat(how(choices, Limit.MEMORY)).isEqualTo(expected);
    assertThatCode(choices::refuseWhatWasForcedInVain).doesNotThrowAnyException();
  }

  @Test
  void aStrategyThatIsForcedInVainIsRefusedWithItsMend() {
    Choices groups = choose(MemoryStrategy.CGROUP, user(6, 1), NONE);
    assertThatThrownBy(groups::refuseWhatWasForcedInVain)
        .isInstanceOfSatisfying(
            UnavailableStrategy.class, e -> assertThat(e.fix()).isEqualTo("ask for groups"));
  }

  @Test
  void aScopeThatCanBeMadeCountsAsAPlace() {
    ScopeOffer offer =
        new ScopeOffer(
            new SystemdManager(PLACE, 1000), Set.of(Controller.MEMORY, Controller.CPUACCT));
    GroupSites sites = new GroupSites(Map.of(), Optional.empty(), Optional.of(offer), "");
    Choices choices = choose(MemoryStrategy.AUTO, user(6, 1), sites);
    assertThat(how(choices, Limit.MEMORY)).isEqualTo("cgroup v2 tree full");
    assertThat(how(choices, Limit.PROCESSES)).isEqualTo("RLIMIT_NPROC tree full");
    GroupSites made = sites.in(PLACE);
    assertThat(made.isUnified(Controller.MEMORY)).isTrue();
    assertThat(made.places()).containsOnlyKeys(Controller.MEMORY, Controller.CPUACCT);
    assertThat(made.scope()).isEmpty();
    GroupSites failed = sites.withoutScope("it was refused");
    assertThat(failed.offers(Controller.MEMORY)).isFalse();
    assertThat(failed.advice()).contains("it was refused");
  }

  private static String how(Choices choices, Limit limit) {
    Enforcement said = choices.enforcements().get(limit);
    Scope scope = said.level() == Level.NONE ? Scope.TREE : said.scope();
    return said.mechanism() + " " + scope.wireName() + " " + said.level().wireName();
  }

  private static LimitSurroundings user(int major, int minor) {
    return new LimitSurroundings(true, false, major, minor, true);
  }

  private static GroupSites sites(boolean unified, Controller... controllers) {
    Map<Controller, UnixPath> places = new EnumMap<>(Controller.class);
    for (Controller controller : controllers) {
      places.put(controller, PLACE);
    }
    return new GroupSites(
        places, unified ? Optional.of(PLACE) : Optional.empty(), Optional.empty(), "");
  }

  private static Choices choose(
      MemoryStrategy strategy, LimitSurroundings around, GroupSites sites) {
    return Choices.make(
        SandboxPolicy.builder().memoryStrategy(strategy).memory("64M").build(), around, sites);
  }
}
