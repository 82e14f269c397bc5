package io.zett.sandbox.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
    assertThat(Platform.of("Windows 11")).isEqualTo(Platform.WINDOWS);
    assertThat(Platform.of("FreeBSD")).isEqualTo(Platform.OTHER);
    assertThat(Platform.of("")).isEqualTo(Platform.OTHER);
  }

  @Test
  void automaticMeansThePlatformsOwn() {
    assertThat(Platform.LINUX.backend()).isEqualTo(SandboxBackend.BUBBLEWRAP);
    assertThat(Platform.MACOS.backend()).isEqualTo(SandboxBackend.SEATBELT);
    assertThat(Platform.WINDOWS.backend()).isEqualTo(SandboxBackend.PASSTHROUGH);
    assertThat(Platform.OTHER.backend()).isEqualTo(SandboxBackend.PASSTHROUGH);
  }

  @Test
  void aForcedSandboxOfAnotherPlatformIsRefusedByName() {
    assertThatThrownBy(() -> Platform.LINUX.backend(policy(SandboxBackend.SEATBELT)))
        .isInstanceOf(SandboxUnavailableException.class)
        .hasMessageContaining("seatbelt is a part of macOS, and this is Linux")
        .hasMessageContaining("auto or bubblewrap");
    assertThatThrownBy(() -> Platform.MACOS.backend(policy(SandboxBackend.BUBBLEWRAP)))
        .isInstanceOf(SandboxUnavailableException.class)
        .hasMessageContaining("bubblewrap is a part of Linux, and this is macOS");
    assertThatThrownBy(() -> Platform.WINDOWS.backend(policy(SandboxBackend.BUBBLEWRAP)))
        .isInstanceOf(SandboxUnavailableException.class)
        .hasMessageContaining("auto or passthrough");
  }

  @ParameterizedTest
  @EnumSource(
      value = Platform.class,
      names = {"WINDOWS", "OTHER"})
  void aPlatformWithoutASandboxFallsToPassthrough(Platform platform) {
    assertThat(platform.backend(policy(SandboxBackend.AUTO))).isEqualTo(SandboxBackend.PASSTHROUGH);
  }

  @ParameterizedTest
  @EnumSource(
      value = Platform.class,
      names = {"LINUX", "MACOS"})
  void aPlatformWithASandboxFallsToPassthroughOnlyByName(Platform platform) {
    assertThat(platform.backend(policy(SandboxBackend.AUTO)))
        .isNotEqualTo(SandboxBackend.PASSTHROUGH);
    assertThat(platform.backend(policy(SandboxBackend.PASSTHROUGH)))
        .isEqualTo(SandboxBackend.PASSTHROUGH);
  }

  @Test
  void whereIsolationIsRequiredPassthroughIsRefusedByEveryWay() {
    SandboxPolicy required = SandboxPolicy.builder().requireIsolation(true).build();
    for (Platform without : new Platform[] {Platform.WINDOWS, Platform.OTHER}) {
      assertThatThrownBy(() -> without.backend(required))
          .isInstanceOf(SandboxUnavailableException.class)
          .hasMessageContaining("has no sandbox, and isolation is required");
    }
    SandboxPolicy byName = required.toBuilder().backend(SandboxBackend.PASSTHROUGH).build();
    for (Platform with : new Platform[] {Platform.LINUX, Platform.MACOS}) {
      assertThatThrownBy(() -> with.backend(byName))
          .isInstanceOf(SandboxUnavailableException.class)
          .hasMessageContaining("passthrough isolates nothing, and isolation is required");
    }
  }
}
