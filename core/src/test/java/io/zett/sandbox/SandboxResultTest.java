package io.zett.sandbox;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SandboxResultTest {
  private static final SandboxCommand COMMAND =
      SandboxCommand.of("python3", "hunter2").env("TOKEN", "hunter2").input("hunter2");

  private static SandboxResult.Builder result(Outcome outcome) {
    return SandboxResult.builder(COMMAND, outcome);
  }

  private static final Outcome SUCCESS = new Outcome.Exited(0);

  @Test
  void theExitCodeIsWhatAShellWouldShow() {
    assertThat(result(new Outcome.Exited(0)).build().exitCode()).isZero();
    assertThat(result(new Outcome.Exited(137)).build().exitCode()).isEqualTo(137);
    assertThat(result(new Outcome.Signaled(11)).build().exitCode()).isEqualTo(139);
    assertThat(result(new Outcome.TimedOut(Duration.ofSeconds(1))).build().exitCode())
        .isEqualTo(137);
    assertThat(result(new Outcome.LimitExceeded(Limit.MEMORY)).build().exitCode()).isEqualTo(137);
    assertThat(result(new Outcome.Canceled("closed")).build().exitCode()).isEqualTo(137);
  }

  @Test
  void onlyAnExitWithStatusZeroIsASuccess() {
    assertThat(result(SUCCESS).build().succeeded()).isTrue();
    assertThat(result(SUCCESS).limitsHit(List.of(Limit.OPEN_FILES)).build().succeeded()).isTrue();
    for (Outcome outcome :
        List.of(
            new Outcome.Exited(1),
            new Outcome.Signaled(9),
            new Outcome.TimedOut(Duration.ofSeconds(1)),
            new Outcome.LimitExceeded(Limit.MEMORY),
            new Outcome.Canceled("closed"))) {
      SandboxResult failed = result(outcome).build();
      assertThat(failed.succeeded()).isFalse();
      assertThat(failed.timedOut()).isEqualTo(outcome instanceof Outcome.TimedOut);
      assertThatExceptionOfType(SandboxCommandException.class)
          .isThrownBy(failed::check)
          .satisfies(e -> assertThat(e.result()).isSameAs(failed));
    }
    SandboxResult good = result(SUCCESS).build();
    assertThat(good.check()).isSameAs(good);
  }

  @Test
  void theFailureSaysHowItEndedAndShowsNeitherArgumentsNorOutput() {
    assertThatExceptionOfType(SandboxCommandException.class)
        .isThrownBy(
            () ->
                result(new Outcome.Exited(3))
                    .stdout("hunter2")
                    .stderr("bad password hunter2")
                    .build()
                    .check())
        .withMessage(
            "python3 exited with status 3 (it wrote 7 bytes to stdout and 20 to stderr, see"
                + " result())");
    assertThat(new SandboxCommandException(result(new Outcome.Signaled(11)).build()))
        .hasMessageContaining("signal 11");
    assertThat(
            new SandboxCommandException(
                result(new Outcome.TimedOut(Duration.ofMillis(1500))).build()))
        .hasMessageContaining("1.5 s");
    assertThat(
            new SandboxCommandException(
                result(new Outcome.LimitExceeded(Limit.CPU_SECONDS)).build()))
        .hasMessageContaining("cpu_seconds");
  }

  @Test
  void theLimitThatEndedItIsAmongThoseHit() {
    assertThat(
            result(new Outcome.LimitExceeded(Limit.MEMORY))
                .limitsHit(List.of(Limit.OPEN_FILES))
                .build()
                .limitsHit())
        .containsExactly(Limit.MEMORY, Limit.OPEN_FILES);
    assertThat(result(SUCCESS).build().limitsHit()).isEmpty();
  }

  @Test
  void bytesAreExactAndCopied() {
    byte[] bytes = {(byte) 0xff, (byte) 0xfe, 0, 'x'};
    SandboxResult result = result(SUCCESS).stdout(bytes).stderr(bytes).build();
    bytes[3] = 'y';
    assertThat(result.stdoutBytes()).containsExactly(0xff, 0xfe, 0, 'x');
    result.stdoutBytes()[3] = 'z';
    result.stderrBytes()[3] = 'z';
    assertThat(result.stdoutBytes()).isEqualTo(result.stderrBytes()).endsWith('x');
    assertThat(result.stdout()).isEqualTo("\ufffd\ufffd\0x");
    assertThat(result.stdout(ISO_8859_1)).isEqualTo("ÿþ\0x");
    assertThat(result.stdoutTotalBytes()).isEqualTo(4);
    assertThat(result.stdoutTruncated()).isFalse();
  }

  @Test
  void aTruncatedTextEndsBeforeTheCharacterThatWasCut() {
    byte[] whole = ("a" + "漢".repeat(3) + "🙂").getBytes(UTF_8);
    for (int kept = 0; kept < whole.length; kept++) {
      byte[] head = Arrays.copyOf(whole, kept);
      SandboxResult result =
          result(SUCCESS)
              .stdout(head)
              .stdoutTotalBytes(whole.length)
              .stderr(head)
              .stderrTotalBytes(whole.length)
              .build();
      assertThat(result.stdoutTruncated()).isTrue();
      assertThat(result.stderrTruncated()).isTrue();
      assertThat(result.stdoutBytes()).hasSize(kept);
      assertThat("a漢漢漢🙂").startsWith(result.stdout());
      assertThat(result.stdout()).isEqualTo(result.stderr());
      assertThat(result.stdout().getBytes(UTF_8).length).isGreaterThan(kept - 4);
    }
  }

  @Test
  void aCompleteOutputThatEndsInsideACharacterShowsThat() {
    byte[] broken = {'a', (byte) 0xe6, (byte) 0xbc};
    assertThat(result(SUCCESS).stdout(broken).build().stdout()).isEqualTo("a\ufffd");
  }

  @Test
  void malformedBytesOfATruncatedOutputAreReplacedToo() {
    byte[] bytes = {'a', (byte) 0xff, 'b', (byte) 0xc3};
    SandboxResult result = result(SUCCESS).stdout(bytes).stdoutTotalBytes(9).build();
    assertThat(result.stdout()).isEqualTo("a\ufffdb");
    assertThat(result.stdout(UTF_16LE)).hasSize(2);
    assertThat(result.stdout(ISO_8859_1)).isEqualTo("aÿbÃ");
  }

  @Test
  void theTextShowsNoOutputAndNoValue() {
    SandboxResult result =
        result(new Outcome.Exited(1))
            .stdout("hunter2")
            .stderr("hunter2")
            .usage(
                new Usage(
                    Duration.ofMillis(12), Duration.ZERO, Optional.empty(), OptionalLong.of(5)))
            .build();
    assertThat(result.toString())
        .contains("Exited[code=1]", "stdout 7 bytes", "12.0 ms", "python3", "TOKEN")
        .doesNotContain("hunter2");
    assertThat(result.usage().peakMemory()).hasValue(5);
  }

  @Test
  void outcomesHaveTheirWordsInTheJson() {
    assertThat(
            List.of(
                new Outcome.Exited(0),
                new Outcome.Signaled(9),
                new Outcome.TimedOut(Duration.ofSeconds(1)),
                new Outcome.LimitExceeded(Limit.CPUS),
                new Outcome.Canceled("x")))
        .extracting(Outcome::wireName)
        .containsExactly("exited", "signaled", "timed_out", "limit_exceeded", "canceled");
  }
}
