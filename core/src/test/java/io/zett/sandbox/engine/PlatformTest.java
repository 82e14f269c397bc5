package io.zett.sandbox.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxUnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which sandbox a platform has, and what is said of one that it has not. */
class PlatformTest {

  private static SandboxPolicy policy(SandboxBackend backend) {
    return SandboxPolicy.builder().backend(backend).build();
  }

  @Test
  void theNamesThatJvmsGiveAreKnown() {
    assertThat(Platform.of("Linux")).isEqualTo(Platform.LINUX);
    assertThat(Platform.of("Mac OS X")).isEqualTo(Platform.MACOS);
    assertThat(Platform.of("Windows 11")).isEqualTo(Platform.OTHER);
    assertThat(Platform.of("")).isEqualTo(Platform.OTHER);
  }

  @Test
  void automaticMeansThePlatformsOwn() {
    assertThat(Platform.LINUX.backend()).isEqualTo(SandboxBackend.BUBBLEWRAP);
    assertThat(Platform.MACOS.backend()).isEqualTo(SandboxBackend.SEATBELT);
    assertThat(Platform.OTHER.backend()).isEqualTo(SandboxBackend.PASSTHROUGH);
  }

  @Test
  void aForcedSandboxOfAnotherPlatformIsRefusedByName() {
    assertThatThrownBy(() -> BackendChoice.choose(policy(SandboxBackend.SEATBELT), Platform.LINUX))
        .isInstanceOf(SandboxUnavailableException.class)
        .hasMessageContaining("seatbelt is a part of macOS, and this is Linux")
        .hasMessageContaining("auto or bubblewrap");
    assertThatThrownBy(
            () -> BackendChoice.choose(policy(SandboxBackend.BUBBLEWRAP), Platform.MACOS))
        .isInstanceOf(SandboxUnavailableException.class)
        .hasMessageContaining("bubblewrap is a part of Linux, and this is macOS");
  }

  @ParameterizedTest
  @EnumSource(
      value = SandboxBackend.class,
      names = {"AUTO", "SEATBELT", "PASSTHROUGH"})
  void onMacosNothingRunsYetAndThatIsSaidWithAWayOut(SandboxBackend backend) {
    assertThatThrownBy(() -> BackendChoice.choose(policy(backend), Platform.MACOS))
        .isInstanceOf(SandboxUnavailableException.class)
        .hasMessageContaining("it runs none")
        .hasMessageContaining("docs/platforms.md");
  }

  @Test
  void aPlatformWithoutASandboxFallsToPassthrough() {
    assumeTrue(Platform.current() == Platform.LINUX, "other systems lack the calls of any backend");
    BackendChoice choice = BackendChoice.choose(policy(SandboxBackend.AUTO), Platform.OTHER);
    assertThat(choice.backend().kind()).isEqualTo(SandboxBackend.PASSTHROUGH);
    assertThat(choice.isolated()).isFalse();
  }

  @Test
  void whereIsolationIsRequiredPassthroughIsRefusedByEveryWay() {
    SandboxPolicy required = SandboxPolicy.builder().requireIsolation(true).build();
    assertThatThrownBy(() -> BackendChoice.choose(required, Platform.OTHER))
        .isInstanceOf(SandboxUnavailableException.class)
        .hasMessageContaining("has no sandbox, and isolation is required");
    SandboxPolicy byName = required.toBuilder().backend(SandboxBackend.PASSTHROUGH).build();
    assertThatThrownBy(() -> BackendChoice.choose(byName, Platform.LINUX))
        .isInstanceOf(SandboxUnavailableException.class)
        .hasMessageContaining("passthrough isolates nothing, and isolation is required");
  }

  @Test
  void whatAPlatformHasIsNotRefused() {
    assertThatCode(
            () -> {
              Platform.LINUX.refuse(SandboxBackend.AUTO);
              Platform.LINUX.refuse(SandboxBackend.BUBBLEWRAP);
              Platform.LINUX.refuse(SandboxBackend.PASSTHROUGH);
              Platform.OTHER.refuse(SandboxBackend.PASSTHROUGH);
            })
        .doesNotThrowAnyException();
  }
}
