package io.zett.sandbox.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.zett.sandbox.Limit;
import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.SandboxUnavailableException;
import io.zett.sandbox.Usage;
import io.zett.sandbox.batch.JobResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ProgramResultTest {

  private static JobResult travelled(JobResult result) throws Exception {
    ProgramResult program = ProgramResult.of(result, "host1", 7);
    ProgramResult java = Travelled.byJava(program, ProgramResult.class);
    ProgramResult kryo = Travelled.byKryo(program, ProgramResult.class);
    assertThat(java.host()).isEqualTo("host1");
    assertThat(java.nanos()).isEqualTo(7);
    assertThat(java.id()).isEqualTo(result.id());
    assertThat(kryo.toString()).isEqualTo(java.toString()).contains("host1", result.id());
    return java.jobResult();
  }

  @Test
  void everyOutcomeTravels() throws Exception {
    for (Outcome outcome :
        List.of(
            new Outcome.Exited(3),
            new Outcome.Signaled(11),
            new Outcome.TimedOut(Duration.ofMillis(1500)),
            new Outcome.LimitExceeded(Limit.MEMORY),
            new Outcome.Canceled("a reason"))) {
      SandboxResult result =
          SandboxResult.builder(SandboxCommand.of("program", "secret"), outcome)
              .limitsHit(List.of(Limit.PROCESSES))
              .stdout(new byte[] {-1, 0})
              .stderr("err")
              .stdoutTotalBytes(99)
              .stderrTotalBytes(3)
              .usage(
                  new Usage(
                      Duration.ofNanos(5),
                      Duration.ofNanos(6),
                      Optional.of(Duration.ofNanos(7)),
                      OptionalLong.of(8)))
              .build();
      JobResult job =
          JobResult.ran(
              "id",
              result,
              SandboxBackend.BUBBLEWRAP,
              Map.of("out", new byte[] {1}),
              Map.of("none", "is not there"));
      JobResult there = travelled(job);
      assertThat(there.result())
          .hasValueSatisfying(
              actual -> {
                assertThat(actual.outcome()).isEqualTo(outcome);
                assertThat(actual.limitsHit()).isEqualTo(result.limitsHit());
                assertThat(actual.stdoutBytes()).isEqualTo(result.stdoutBytes());
                assertThat(actual.stderrBytes()).isEqualTo(result.stderrBytes());
                assertThat(actual.stdoutTotalBytes()).isEqualTo(99);
                assertThat(actual.stderrTotalBytes()).isEqualTo(3);
                assertThat(actual.usage()).isEqualTo(result.usage());
                assertThat(actual.command()).isEqualTo(SandboxCommand.of("program"));
              });
      assertThat(there.backend()).contains(SandboxBackend.BUBBLEWRAP);
      assertThat(there.files()).containsOnlyKeys("out");
      assertThat(there.fileErrors()).isEqualTo(job.fileErrors());
    }
  }

  @Test
  void whyAJobCouldNotBeRunTravels() throws Exception {
    for (Exception failure :
        List.of(
            new SandboxUnavailableException("a problem", "a mend"),
            new SandboxSetupException("a step", "a problem"),
            new SandboxSetupException("a step", Path.of("/a/path"), "a problem", null),
            new IllegalArgumentException("an argument"),
            new IOException("a file"))) {
      assertThat(travelled(JobResult.failed("id", failure)).failure())
          .hasValueSatisfying(
              actual ->
                  assertThat(actual).hasSameClassAs(failure).hasMessage(failure.getMessage()));
    }
    SandboxSetupException setup =
        new SandboxSetupException("a step", Path.of("/a/path"), "a problem", null);
    assertThat(travelled(JobResult.failed("id", setup)).failure())
        .get(type(SandboxSetupException.class))
        .returns("a step", SandboxSetupException::step)
        .returns(Optional.of(Path.of("/a/path")), SandboxSetupException::path);
    assertThat(
            travelled(JobResult.failed("id", new SandboxUnavailableException("a", "b"))).failure())
        .get(type(SandboxUnavailableException.class))
        .returns("a", SandboxUnavailableException::problem)
        .returns("b", SandboxUnavailableException::fix);
    assertThat(travelled(JobResult.failed("id", new IllegalStateException())).failure())
        .hasValueSatisfying(
            actual -> assertThat(actual).hasMessageContaining("IllegalStateException"));
  }
}
