package io.zett.sandbox.flight;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.zett.sandbox.Limit;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.SandboxUnavailableException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import jdk.jfr.Category;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is told to who watches, and what is not. */
class FlightRecorderTest {
  @TempDir Path temporary;

  private Recorded recorded(Runnable action) throws Exception {
    return Recorded.during(temporary.resolve("recording.jfr"), action);
  }

  @Test
  void aCommandIsToldWithItsOutcomeAndUsage() throws Exception {
    SandboxResult[] result = new SandboxResult[1];
    Recorded recorded =
        recorded(
            () -> {
              try (SandboxSession session = SandboxSession.builder().memory("1GB").open()) {
                result[0] =
                    session.run(
                        SandboxCommand.of("/usr/bin/env", "sh", "-c", "printf 12345; exit 7"));
              }
            });
    RecordedEvent command = recorded.commands("env").getFirst();
    assertThat(command.getString("backend")).isEqualTo("bubblewrap");
    assertThat(command.getString("outcome")).isEqualTo("exited");
    assertThat(command.getBoolean("startedAhead")).isFalse();
    assertThat(command.getInt("exitCode")).isEqualTo(7);
    assertThat(command.getString("limit")).isNull();
    assertThat(command.getString("failedStep")).isNull();
    assertThat(command.getLong("stdoutBytes")).isEqualTo(5);
    assertThat(command.getLong("stderrBytes")).isZero();
    assertThat(command.getDuration("wallTime")).isEqualTo(result[0].usage().wall());
    assertThat(command.getDuration("setupTime")).isEqualTo(result[0].usage().setup());
    assertThat(command.getDuration("cpuTime")).isEqualTo(result[0].usage().cpu().orElseThrow());
    assertThat(command.getLong("peakMemory"))
        .isEqualTo(result[0].usage().peakMemory().orElseThrow());
    assertThat(command.getDuration("queueTime")).isBetween(Duration.ZERO, command.getDuration());
    assertThat(command.getDuration()).isGreaterThanOrEqualTo(result[0].usage().wall());
    RecordedEvent opened = recorded.all("SessionOpen").getFirst();
    assertThat(opened.getLong("session")).isPositive().isEqualTo(command.getLong("session"));
    assertThat(opened.getBoolean("isolated")).isTrue();
    assertThat(opened.getBoolean("privateWorkspace")).isTrue();
    assertThat(opened.getString("backend")).isEqualTo("bubblewrap");
  }

  @Test
  void everyFateHasItsWord() throws Exception {
    Recorded recorded =
        recorded(
            () -> {
              try (SandboxSession session = SandboxSession.builder().maxConcurrent(1).open()) {
                session.run(SandboxCommand.of("sleep", "600").timeout(Duration.ofMillis(50)));
                session.run(SandboxCommand.shell("kill -SEGV $$"));
                CompletableFuture<SandboxResult> first =
                    session.runAsync(SandboxCommand.of("cat", "/dev/zero").noTimeout());
                CompletableFuture<SandboxResult> waits =
                    session.runAsync(SandboxCommand.of("tail", "-f", "/dev/null"));
                waits.cancel(true);
                first.cancel(true);
                assertThatThrownBy(
                        () -> session.run(SandboxCommand.of("head").cwd(Path.of("missing"))))
                    .isInstanceOf(SandboxSetupException.class);
              }
            });
    assertThat(outcome(recorded, "sleep")).isEqualTo("timed_out 137");
    assertThat(outcome(recorded, "sh")).isEqualTo("signaled 139");
    assertThat(outcome(recorded, "cat")).startsWith("canceled ");
    assertThat(outcome(recorded, "tail")).isEqualTo("canceled -1");
    assertThat(outcome(recorded, "head")).isEqualTo("error -1");
    RecordedEvent failed = recorded.commands("head").getFirst();
    assertThat(failed.getString("failedStep")).isEqualTo("working directory");
    assertThat(failed.getLong("wallTime")).isEqualTo(Long.MIN_VALUE); // shown as N/A
  }

  private static String outcome(Recorded recorded, String program) {
    RecordedEvent command = recorded.commands(program).getFirst();
    return command.getString("outcome") + " " + command.getInt("exitCode");
  }

  @Test
  void aLimitThatEndsACommandIsNamed() throws Exception {
    Recorded recorded =
        recorded(
            () -> {
              try (SandboxSession session = SandboxSession.builder().maxFileSize(4096).open()) {
                session.run(
                    SandboxCommand.of("dd", "if=/dev/zero", "of=file", "bs=8192", "count=1"));
              }
            });
    RecordedEvent command = recorded.commands("dd").getFirst();
    assertThat(command.getString("outcome")).isEqualTo("limit_exceeded");
    assertThat(command.getString("limit")).isEqualTo("file_size");
  }

  @Test
  void decisionsAreToldWithTheirReasons() throws Exception {
    Recorded recorded =
        recorded(
            () -> {
              SandboxSession.builder().memory("1GB").open().close();
              SandboxSession.builder().backend(SandboxBackend.PASSTHROUGH).open().close();
              assertThatThrownBy(
                      () ->
                          SandboxSession.builder()
                              .backend(SandboxBackend.PASSTHROUGH)
                              .requireIsolation(true)
                              .open())
                  .isInstanceOf(SandboxUnavailableException.class);
            });
    List<RecordedEvent> decisions = recorded.all("BackendDecision");
    assertThat(decisions)
        .extracting(
            event -> event.getString("requested"),
            event -> event.getString("backend"),
            event -> event.getBoolean("usable"))
        .containsExactly(
            tuple("auto", "bubblewrap", true),
            tuple("passthrough", "passthrough", true),
            tuple("passthrough", "passthrough", false));
    assertThat(decisions.getFirst().getString("launcher")).endsWith("/bwrap");
    assertThat(decisions.getFirst().getString("launcherVersion")).contains(".");
    assertThat(decisions.getLast().getString("reason")).contains("isolation is required");
    List<RecordedEvent> opened = recorded.all("SessionOpen");
    assertThat(opened).hasSize(3);
    assertThat(opened.getLast().getString("failedStep")).isEqualTo("finding a backend");
    long first = opened.getFirst().getLong("session");
    assertThat(
            recorded.all("LimitDecision").stream()
                .filter(event -> event.getLong("session") == first)
                .map(event -> event.getString("limit")))
        .containsExactlyElementsOf(Stream.of(Limit.values()).map(Limit::wireName).toList());
    assertThat(recorded.all("LimitDecision").getFirst().getString("mechanism")).isNotBlank();
  }

  @Test
  void noArgumentVariableInputOrOutputIsInTheFile() throws Exception {
    String argument = secret();
    String value = secret();
    String input = secret();
    String text = secret();
    recorded(
        () -> {
          try (SandboxSession session = SandboxSession.builder().env("NAME", value).open()) {
            session.run(
                SandboxCommand.of("/bin/cat", "-", argument).env("OTHER", value).input(input));
            session.run("echo " + text + "; exit 3");
            session.run(SandboxCommand.shell("sleep 600; " + text).timeout(Duration.ofMillis(20)));
            SandboxCommand lost = SandboxCommand.of("/opt/tool", argument).cwd(Path.of("missing"));
            assertThatThrownBy(() -> session.run(lost)).isInstanceOf(SandboxSetupException.class);
          }
        });
    String bytes = new String(Files.readAllBytes(temporary.resolve("recording.jfr")), ISO_8859_1);
    assertThat(bytes.contains("working directory")).as("texts can be found like this").isTrue();
    assertThat(Stream.of(argument, value, input, text).filter(bytes::contains)).isEmpty();
  }

  private static String secret() {
    return "s" + new BigInteger(120, new SecureRandom()).toString(36);
  }

  @Test
  void everyEventAndFieldHasALabelInOneCategory() throws Exception {
    recorded(() -> SandboxSession.builder().open().close()); // a type is known from its first use
    recorded(
        () -> {
          try (SandboxSession session = SandboxSession.builder().open()) {
            session.run(List.of("true"));
          }
        });
    List<EventType> types =
        FlightRecorder.getFlightRecorder().getEventTypes().stream()
            .filter(type -> type.getName().startsWith("io.zett.sandbox."))
            .toList();
    assertThat(types)
        .extracting(EventType::getName)
        .containsExactlyInAnyOrder(
            "io.zett.sandbox.Command",
            "io.zett.sandbox.SessionOpen",
            "io.zett.sandbox.BackendDecision",
            "io.zett.sandbox.LimitDecision");
    assertThat(types)
        .allSatisfy(
            type -> {
              assertThat(type.getAnnotation(Category.class).value())
                  .containsExactly("Zett Sandbox");
              assertThat(type.getLabel()).isNotBlank();
              assertThat(type.getDescription()).isNotBlank();
              assertThat(type.getFields())
                  .extracting(ValueDescriptor::getLabel)
                  .doesNotContainNull();
            });
  }
}
