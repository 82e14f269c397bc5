package io.zett.sandbox.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.SandboxCanceledException;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.cases.outside.Eventually;
import io.zett.sandbox.faults.FaultSource.Fault;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every system call that closing a sandbox makes is refused once, with and without a command that
 * runs. It closes all the same; what it could not remove is gone after the next one.
 */
@Timeout(3600)
class FaultsWhileClosingTest {

  @TempDir Path host;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRefusedCallIsTolerated(boolean busy) throws Exception {
    try (FaultGround ground = new FaultGround(host)) {
      FaultyEngine machine = ground.machine;
      closed(ground, busy, () -> {});
      closed(ground, busy, machine.faults::record);
      FaultRun run = new FaultRun(busy ? "CLOSE_BUSY" : "CLOSE", machine.faults);

      run.each(fault -> attempt(ground, busy, fault), _ -> machine.forget());

      ground.open().close();
      run.assertNoProblem();
      machine.assertNothingHeld("closing");
      ground.assertNothingTemporary();
    }
  }

  private static void attempt(FaultGround ground, boolean busy, Fault fault) throws Exception {
    FaultyEngine machine = ground.machine;
    FaultAnswer answer =
        FaultAnswer.of(fault, () -> closed(ground, busy, () -> machine.faults.arm(fault)));
    assertThat(answer.text()).as("%s", fault).isEqualTo("closed");
    machine.faults.disarm();
    Engine next = ground.open();
    FaultyEngine.assertWorks(fault, next);
    next.close();
    machine.assertGivenBack(fault);
  }

  /** Opens a sandbox, and closes it after something else has been done. */
  private static String closed(FaultGround ground, boolean busy, Runnable before) throws Exception {
    Engine engine = ground.open();
    FaultyEngine.assertWorks("opening", engine);
    CompletableFuture<SandboxResult> running = null;
    if (busy) {
      Path started = engine.workspace().resolve("started");
      running = engine.runAsync(SandboxCommand.shell("touch started; sleep 600"));
      Eventually.within(Duration.ofSeconds(20), "the command runs", () -> Files.exists(started));
    }
    before.run();
    engine.close();
    if (running != null) {
      assertThatThrownBy(running::join)
          .hasCauseInstanceOf(
              running.isCancelled() ? SandboxCanceledException.class : SandboxSetupException.class);
    }
    return "closed";
  }
}
