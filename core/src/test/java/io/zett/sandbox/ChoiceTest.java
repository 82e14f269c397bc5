package io.zett.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChoiceTest {

  @Test
  void everyConstantIsFoundByItsWord() {
    for (SandboxBackend backend : SandboxBackend.values()) {
      assertThat(SandboxBackend.of(backend.wireName())).isEqualTo(backend);
    }
    for (MemoryStrategy strategy : MemoryStrategy.values()) {
      assertThat(MemoryStrategy.of(strategy.wireName())).isEqualTo(strategy);
    }
    for (NetworkMode mode : NetworkMode.values()) {
      assertThat(NetworkMode.of(mode.wireName())).isEqualTo(mode);
    }
    for (HomeMode mode : HomeMode.values()) {
      assertThat(HomeMode.of(mode.wireName())).isEqualTo(mode);
    }
    for (Limit limit : Limit.values()) {
      assertThat(Limit.of(limit.wireName())).isEqualTo(limit);
    }
  }

  @Test
  void limitsAreNamedAsInTheJson() {
    assertThat(Limit.values())
        .extracting(Limit::wireName)
        .containsExactly(
            "memory",
            "cpus",
            "cpu_seconds",
            "processes",
            "file_size",
            "open_files",
            "scratch_size");
  }

  @Test
  void caseBlanksAndHyphensDoNotMatter() {
    assertThat(SandboxBackend.of(" Auto ")).isEqualTo(SandboxBackend.AUTO);
    assertThat(Limit.of("CPU-Seconds")).isEqualTo(Limit.CPU_SECONDS);
  }

  @Test
  void aTypingErrorIsAnsweredWithTheWordsAndTheLikelyOne() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SandboxBackend.of("bublewrap"))
        .withMessage(
            "backend: \"bublewrap\" is not one of auto, seatbelt, bubblewrap, passthrough;"
                + " did you mean \"bubblewrap\"?");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MemoryStrategy.of("cgroups"))
        .withMessageContaining("did you mean \"cgroup\"?");
  }

  @ParameterizedTest
  @CsvSource({
    "backend, bwrap, bubblewrap",
    "backend, sandbox-exec, seatbelt",
    "backend, None, passthrough",
    "backend, seatbealt, seatbelt",
    "memoryStrategy, watchdgo, watchdog",
    "memoryStrategy, ulimit, rlimit",
    "memoryStrategy, default, auto",
    "network, off, none",
    "network, true, unrestricted",
    "network, host, unrestricted",
    "network, unrestriced, unrestricted",
    "home, pivate, private",
    "home, tmp, private",
    "home, hots, host",
  })
  void aWordThatOthersUseIsAnsweredWithOurs(String option, String typed, String meant) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> {
              switch (option) {
                case "backend" -> SandboxBackend.of(typed);
                case "memoryStrategy" -> MemoryStrategy.of(typed);
                case "network" -> NetworkMode.of(typed);
                default -> HomeMode.of(typed);
              }
            })
        .withMessageStartingWith(option + ": \"" + typed + "\" is not one of ")
        .withMessageEndingWith("; did you mean \"" + meant + "\"?");
  }

  @Test
  void anotherWordIsNoTypingError() {
    for (String word : new String[] {"docker", "", "x".repeat(100_000)}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> SandboxBackend.of(word))
          .withMessageStartingWith("backend: ")
          .satisfies(e -> assertThat(e.getMessage()).doesNotContain("did you mean"));
    }
  }
}
