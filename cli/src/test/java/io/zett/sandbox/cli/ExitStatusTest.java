package io.zett.sandbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.Limit;
import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.SandboxUnavailableException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExitStatusTest {
  private static SandboxResult result(Outcome outcome) {
    return SandboxResult.builder(SandboxCommand.of("true"), outcome).build();
  }

  @Test
  void theStatusTellsHowTheCommandEnded() {
    assertThat(ExitStatus.of(new Outcome.Exited(44))).isEqualTo(44);
    assertThat(ExitStatus.of(new Outcome.Signaled(11))).isEqualTo(139);
    assertThat(ExitStatus.of(new Outcome.TimedOut(Duration.ofSeconds(1)))).isEqualTo(124);
    assertThat(ExitStatus.of(new Outcome.LimitExceeded(Limit.MEMORY))).isEqualTo(137);
  }

  @Test
  void whatDidNotRunHasAStatusOfItsOwn() {
    assertThat(Failure.of(new SandboxUnavailableException("a", "b")).kind().exitStatus())
        .isEqualTo(125);
    assertThat(Failure.of(new SandboxSetupException("a", "b")).kind().exitStatus()).isEqualTo(125);
    assertThat(Failure.of(new IllegalArgumentException("a")).kind().exitStatus()).isEqualTo(2);
    assertThat(Failure.of(new IllegalStateException()).kind().exitStatus()).isEqualTo(125);
  }

  @Test
  void onlyARunThatWasEndedHasAReason() {
    Signals none = new Signals();
    assertThat(Reason.of(result(new Outcome.Exited(1)), none)).isEmpty();
    assertThat(Reason.of(result(new Outcome.Signaled(9)), none)).isEmpty();
    assertThat(Reason.of(result(new Outcome.TimedOut(Duration.ofMillis(1500))), none))
        .hasValueSatisfying(text -> assertThat(text).startsWith("timed out after 1.5 s"));
    assertThat(Reason.of(result(new Outcome.LimitExceeded(Limit.CPU_SECONDS)), none))
        .hasValueSatisfying(text -> assertThat(text).contains("cpu_seconds"));
  }

  @Test
  void theFirstSignalCountsAndIsToldOnce() {
    Signals signals = new Signals();
    List<String> told = new ArrayList<>();
    signals.whenReceived(told::add);
    assertThat(signals.exitStatus()).isEmpty();
    signals.receive(Signals.Ending.INT);
    signals.receive(Signals.Ending.TERM);
    assertThat(told).containsExactly("SIGINT");
    assertThat(signals.exitStatus()).hasValue(130);
    assertThat(Reason.of(result(new Outcome.Exited(0)), signals))
        .hasValueSatisfying(text -> assertThat(text).contains("SIGINT"));
  }

  @Test
  void aSignalBeforeTheCommandIsNotLost() {
    Signals signals = new Signals();
    signals.receive(Signals.Ending.HUP);
    List<String> told = new ArrayList<>();
    signals.whenReceived(told::add);
    assertThat(told).containsExactly("SIGHUP");
    assertThat(signals.exitStatus()).hasValue(129);
  }

  @Test
  void aProgramThatLiesHereIsHintedAtWhenTheWorkspaceIsPrivate() {
    SandboxCommand here = SandboxCommand.of("./pom.xml");
    SandboxResult notFound = SandboxResult.builder(here, new Outcome.Exited(127)).build();
    SandboxPolicy policy = SandboxPolicy.builder().build();
    RunRequest isPrivate = new RunRequest(policy, null, here, false, false);
    RunRequest given = new RunRequest(policy, Path.of("."), here, false, false);
    RunRequest text =
        new RunRequest(policy, null, SandboxCommand.shell("./pom.xml; ls"), false, false);
    RunRequest elsewhere = new RunRequest(policy, null, SandboxCommand.of("no-such"), false, false);
    assertThat(NotFoundHint.of(isPrivate, notFound)).isPresent();
    assertThat(NotFoundHint.of(text, notFound)).isPresent();
    assertThat(NotFoundHint.of(given, notFound)).isEmpty();
    assertThat(NotFoundHint.of(elsewhere, notFound)).isEmpty();
    assertThat(NotFoundHint.of(isPrivate, result(new Outcome.Exited(1)))).isEmpty();
  }
}
