package io.zett.sandbox.cases.ending;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.cases.outside.Sandboxed;
import io.zett.sandbox.cases.outside.Sleepers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** H01, H03: what a command leaves in the background ends with it and delays nothing. */
class BackgroundProcessesTest {

  /** Far above any noise, and far below the ten minutes that the background would take. */
  private static final Duration AT_ONCE = Duration.ofSeconds(30);

  private final Sleepers sleepers = new Sleepers();

  @ParameterizedTest
  @EnumSource(names = {"BUBBLEWRAP", "PASSTHROUGH"})
  void aBackgroundChildThatHoldsTheOutputDelaysNothing(SandboxBackend backend) {
    SandboxResult result = ended(backend, sleepers.sleep() + " & echo hi");
    assertThat(result.stdout()).isEqualTo("hi\n");
    assertThat(result.outcome()).isEqualTo(new Outcome.Exited(0));
  }

  @ParameterizedTest
  @EnumSource(names = {"BUBBLEWRAP", "PASSTHROUGH"})
  void aBackgroundChildThatHoldsTheErrorOutputLeavesTheExitStatusAlone(SandboxBackend backend) {
    SandboxResult result = ended(backend, "(" + sleepers.sleep() + "; echo late) >&2 & exit 3");
    assertThat(result.stderr()).isEmpty();
    assertThat(result.outcome()).isEqualTo(new Outcome.Exited(3));
  }

  @ParameterizedTest
  @EnumSource(names = {"BUBBLEWRAP", "PASSTHROUGH"})
  void aBackgroundChildInASessionOfItsOwnDelaysNothing(SandboxBackend backend) {
    SandboxResult result = ended(backend, "setsid sh -c '" + sleepers.sleep() + "' & echo hi");
    assertThat(result.stdout()).isEqualTo("hi\n");
    assertThat(result.exitCode()).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"BUBBLEWRAP", "PASSTHROUGH"})
  void aBackgroundChildThatIgnoresEverySignalItCanDelaysNothing(SandboxBackend backend) {
    SandboxResult result =
        ended(
            backend,
            "sh -c 'trap \"\" TERM HUP INT QUIT PIPE; nohup "
                + sleepers.sleep()
                + "' & head -c 1 /dev/null; echo hi");
    assertThat(result.stdout()).isEqualTo("hi\n");
    assertThat(result.exitCode()).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"BUBBLEWRAP", "PASSTHROUGH"})
  void aStoppedBackgroundChildDelaysNothing(SandboxBackend backend) {
    SandboxResult result = ended(backend, sleepers.sleep() + " & kill -STOP $!; echo hi");
    assertThat(result.stdout()).isEqualTo("hi\n");
    assertThat(result.exitCode()).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"BUBBLEWRAP", "PASSTHROUGH"})
  void aHundredBackgroundChildrenAreDeadWhenTheRunReturns(SandboxBackend backend) {
    SandboxResult result =
        ended(
            backend,
            "i=0; while [ $i -lt 100 ]; do " + sleepers.sleep() + " & i=$((i+1)); done; echo hi");
    assertThat(result.stdout()).isEqualTo("hi\n");
  }

  @ParameterizedTest
  @EnumSource(names = {"BUBBLEWRAP", "PASSTHROUGH"})
  void whatDetachedTwiceIsEndedByTheTimeLimitAndDoesNothingLater(SandboxBackend backend) {
    // The ticks show that it ran; none may come once run() has returned.
    String daemon = "while :; do echo >>ticks; sleep 0.02; done";
    String text =
        "( setsid sh -c '( setsid sh -c \""
            + daemon
            + "\" $0 & )' "
            + sleepers.argument()
            + " & );"
            + " while [ ! -s ticks ]; do sleep 0.02; done; echo up; "
            + sleepers.sleep();
    try (SandboxSession session = Sandboxed.session(backend)) {
      SandboxResult result = session.run(Sandboxed.shell(text, Duration.ofMillis(1500)));
      sleepers.assertNone();
      assertThat(result.timedOut()).isTrue();
      assertThat(result.stdout()).isEqualTo("up\n");
      long ticks = session.workspace().resolve("ticks").toFile().length();
      assertThat(session.run("sleep 0.3").succeeded()).isTrue();
      assertThat(session.workspace().resolve("ticks")).hasSize(ticks);
    }
  }

  @Test
  void aCommandWhoseMainProcessIsKilledFromInsideTakesItsTreeWithIt() {
    SandboxResult result = ended(SandboxBackend.BUBBLEWRAP, sleepers.sleep() + " & kill -KILL $$");
    assertThat(result.outcome()).isEqualTo(new Outcome.Signaled(9));
  }

  @ParameterizedTest
  @EnumSource(names = {"BUBBLEWRAP", "PASSTHROUGH"})
  void whatTheBackgroundWroteBeforeTheEndIsKept(SandboxBackend backend) {
    SandboxResult result =
        ended(
            backend,
            "(echo early; echo >ready; "
                + sleepers.sleep()
                + ") & "
                + "while [ ! -e ready ]; do sleep 0.01; done; exit 5");
    assertThat(result.stdout()).isEqualTo("early\n");
    assertThat(result.exitCode()).isEqualTo(5);
  }

  private SandboxResult ended(SandboxBackend backend, String text) {
    try (SandboxSession session = Sandboxed.session(backend)) {
      SandboxCommand command = SandboxCommand.shell(text).noTimeout();
      SandboxResult[] result = new SandboxResult[1];
      Duration taken = Sandboxed.timed(() -> result[0] = session.run(command));
      sleepers.assertNone();
      assertThat(taken).isLessThan(AT_ONCE);
      assertThat(session.run(List.of("true")).succeeded()).isTrue();
      return result[0];
    }
  }
}
