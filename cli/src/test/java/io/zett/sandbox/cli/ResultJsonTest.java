package io.zett.sandbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import io.zett.sandbox.Limit;
import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.SandboxUnavailableException;
import io.zett.sandbox.Usage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ResultJsonTest {
  static final List<String> KEYS =
      List.of(
          "outcome",
          "limit",
          "limitsHit",
          "exitCode",
          "signal",
          "timedOut",
          "stdout",
          "stderr",
          "stdoutTotalBytes",
          "stderrTotalBytes",
          "stdoutTruncated",
          "stderrTruncated",
          "wallSeconds",
          "setupSeconds",
          "cpuSeconds",
          "peakMemoryBytes",
          "backend",
          "error");

  private static SandboxResult.Builder result(Outcome outcome) {
    return SandboxResult.builder(SandboxCommand.of("true"), outcome);
  }

  private static Map<String, Object> json(SandboxResult result) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ResultJson.write(result, SandboxBackend.BUBBLEWRAP, out);
    return parse(out);
  }

  private static Map<String, Object> json(Throwable problem) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ResultJson.write(Failure.of(problem), out);
    return parse(out);
  }

  private static Map<String, Object> parse(ByteArrayOutputStream out) throws IOException {
    String text = out.toString(StandardCharsets.UTF_8);
    assertThat(text).endsWith("}\n");
    assertThat(text.lines()).hasSize(1);
    Map<String, Object> json = JSON.std.mapFrom(text);
    assertThat(json.keySet()).containsExactlyElementsOf(KEYS);
    return json;
  }

  @Test
  void theObjectIsThatOfTheContract() throws IOException {
    Map<String, Object> json =
        json(
            result(new Outcome.Exited(0))
                .stdout("h\u00fc\u2028\u0000\"")
                .usage(
                    new Usage(
                        Duration.ofMillis(12),
                        Duration.ofMillis(4),
                        Optional.of(Duration.ofMillis(3)),
                        OptionalLong.of(1_234_567)))
                .build());
    assertThat(json)
        .containsEntry("outcome", "exited")
        .containsEntry("limit", null)
        .containsEntry("limitsHit", List.of())
        .containsEntry("exitCode", 0)
        .containsEntry("signal", null)
        .containsEntry("timedOut", false)
        .containsEntry("stdout", "h\u00fc\u2028\u0000\"")
        .containsEntry("stderr", "")
        .containsEntry("stdoutTotalBytes", 8)
        .containsEntry("wallSeconds", 0.012)
        .containsEntry("setupSeconds", 0.004)
        .containsEntry("cpuSeconds", 0.003)
        .containsEntry("peakMemoryBytes", 1_234_567)
        .containsEntry("backend", "bubblewrap")
        .containsEntry("error", null);
  }

  @Test
  void whatIsUnknownIsNull() throws IOException {
    assertThat(json(result(new Outcome.Exited(0)).build()))
        .containsEntry("cpuSeconds", null)
        .containsEntry("peakMemoryBytes", null);
  }

  @Test
  void aSignalIsItsNumber() throws IOException {
    assertThat(json(result(new Outcome.Signaled(11)).build()))
        .containsEntry("outcome", "signaled")
        .containsEntry("signal", 11)
        .containsEntry("exitCode", 139);
  }

  @Test
  void aTimeoutAndALimitAreNamed() throws IOException {
    assertThat(json(result(new Outcome.TimedOut(Duration.ofSeconds(1))).build()))
        .containsEntry("outcome", "timed_out")
        .containsEntry("timedOut", true)
        .containsEntry("exitCode", 137);
    assertThat(json(result(new Outcome.LimitExceeded(Limit.CPU_SECONDS)).build()))
        .containsEntry("outcome", "limit_exceeded")
        .containsEntry("limit", "cpu_seconds")
        .containsEntry("limitsHit", List.of("cpu_seconds"));
  }

  @Test
  void outputBeyondTheCapIsCounted() throws IOException {
    HeadBuffer head = new HeadBuffer(3);
    head.write("ab\u00fcrest".getBytes(StandardCharsets.UTF_8), 0, 8);
    head.write('x');
    SandboxResult cut =
        new Execution(result(new Outcome.Exited(0)).build(), SandboxBackend.BUBBLEWRAP)
            .withOutput(head, new HeadBuffer(0));
    assertThat(json(cut))
        .containsEntry("stdout", "ab") // the letter that the cut went through is left out
        .containsEntry("stdoutTotalBytes", 9)
        .containsEntry("stdoutTruncated", true)
        .containsEntry("stderrTruncated", false);
  }

  @Test
  @SuppressWarnings("unchecked")
  void anErrorSaysWhatFailedAndHowToMendIt() throws IOException {
    Map<String, Object> unavailable =
        json(new SandboxUnavailableException("bubblewrap is missing", "apt install bubblewrap"));
    assertThat(unavailable)
        .containsEntry("outcome", "error")
        .containsEntry("exitCode", null)
        .containsEntry("backend", null);
    Map<String, Object> error =
        (Map<String, Object>) Objects.requireNonNull(unavailable.get("error"));
    assertThat(error.keySet()).containsExactly("kind", "step", "path", "message", "fix");
    assertThat(error)
        .containsEntry("kind", "unavailable")
        .containsEntry("message", "bubblewrap is missing")
        .containsEntry("fix", "apt install bubblewrap");

    Map<String, Object> setup =
        json(new SandboxSetupException("working directory", Path.of("/no"), "no such", null));
    assertThat((Map<String, Object>) setup.get("error"))
        .containsEntry("kind", "setup")
        .containsEntry("step", "working directory")
        .containsEntry("path", "/no")
        .containsEntry("fix", null);
  }
}
