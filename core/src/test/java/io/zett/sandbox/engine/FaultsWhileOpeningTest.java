package io.zett.sandbox.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.faults.FaultSource.Fault;
import io.zett.sandbox.faults.Refusals;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every system call that opening a sandbox makes is refused once. It opens and is the same, or it
 * is told by the library's own exception what was refused; nothing is left behind.
 */
@Timeout(3600)
class FaultsWhileOpeningTest {

  @TempDir Path host;

  @Test
  void aRefusedCallIsToleratedOrTold() throws Exception {
    try (FaultGround ground = new FaultGround(host)) {
      Path workspace = ground.workspace();
      FaultyEngine machine = ground.machine;
      machine.faults.record();
      Engine first = ground.open(workspace);
      FaultRun run = new FaultRun("OPEN", machine.faults);
      FaultyEngine.assertWorks("nothing", first);
      String plan = machine.plans.last();
      String report = first.report().toString();
      first.close();

      run.each(
          fault -> {
            FaultAnswer answer = opened(ground, workspace, fault);
            if (!answer.told() && Refusals.isShortage(fault.errno())) {
              assertThat(answer.text()).as("report after %s", fault).isEqualTo(report);
              assertThat(machine.plans.last()).as("plan after %s", fault).isEqualTo(plan);
            }
            machine.assertGivenBack(fault);
          },
          _ -> machine.forget());

      Engine last = ground.open();
      FaultyEngine.assertWorks("all", last);
      last.close();
      run.assertNoProblem();
      machine.assertNothingHeld("opening");
      ground.assertNothingTemporary();
    }
  }

  private static FaultAnswer opened(FaultGround ground, Path workspace, Fault fault)
      throws Exception {
    FaultyEngine machine = ground.machine;
    machine.faults.arm(fault);
    FaultAnswer answer =
        FaultAnswer.of(
            fault,
            () -> {
              Engine engine = ground.open(workspace);
              machine.faults.disarm();
              FaultyEngine.assertWorks(fault, engine);
              String report = engine.report().toString();
              engine.close();
              return report;
            });
    machine.faults.disarm();
    return answer;
  }
}
