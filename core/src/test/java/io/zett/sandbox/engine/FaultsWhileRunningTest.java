package io.zett.sandbox.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.faults.FaultSource.Fault;
import io.zett.sandbox.faults.Refusals;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every system call that running a command makes is refused once. The command ends as if nothing
 * had been, or it is told by the library's own exception what was refused; nothing is left behind,
 * and the session's next command runs.
 */
@Timeout(3600)
class FaultsWhileRunningTest {
  private static final int SETTLING = 3; // commands until nothing is made for the first time
  private static final int STEADY_LOOKS = 20;
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);

  @TempDir Path host;
  private FaultGround ground;
  private FaultyEngine machine;
  private Path workspace;
  private Engine engine;
  private List<String> held;

  @BeforeEach
  void open() throws Exception {
    ground = new FaultGround(host);
    machine = ground.machine;
    workspace = ground.workspace();
    engine = ground.open(workspace);
  }

  @AfterEach
  void close() {
    engine.close();
    ground.close();
  }

  @ParameterizedTest
  @EnumSource
  void aRefusedCallIsToleratedOrTold(FaultedCommand command) throws Exception {
    for (int i = 0; i < SETTLING; i++) {
      assertThat(command.run(engine, workspace)).isEqualTo(command.expected());
    }
    FaultyEngine.assertWorks("nothing", engine);
    held = steady();
    machine.faults.record();
    command.run(engine, workspace);
    FaultRun run = new FaultRun(command.name(), machine.faults);
    String plan = machine.plans.last();
    assertThat(plan).contains("denied", "missing");

    run.each(fault -> attempt(command, fault, plan), this::openAnother);

    engine.close();
    ground.open().close();
    run.assertNoProblem();
    machine.assertNothingHeld(command);
  }

  private void attempt(FaultedCommand command, Fault fault, String plan) throws Exception {
    machine.faults.arm(fault);
    FaultAnswer answer = FaultAnswer.of(fault, () -> command.run(engine, workspace));
    boolean failed = machine.faults.disarm();
    if (!failed || !answer.told()) {
      assertThat(answer.text()).as("%s", fault).isEqualTo(command.expected());
      if (Refusals.isShortage(fault.errno())) {
        assertThat(machine.plans.last()).as("plan after %s", fault).isEqualTo(plan);
      }
    }
    FaultyEngine.assertWorks(fault, engine);
    machine.awaitHeld(fault, held);
  }

  private void openAnother(Fault fault) throws Exception {
    FaultyEngine.within(
        "closing after " + fault,
        () -> {
          engine.close();
          return "";
        });
    machine.forget();
    engine = ground.open(workspace);
    for (int i = 0; i < SETTLING; i++) {
      FaultyEngine.assertWorks("a new session", engine);
    }
    held = steady();
  }

  /** What is held once the groups of the next command have been made, too. */
  private List<String> steady() {
    List<String> before = machine.held();
    int same = 0;
    while (same < STEADY_LOOKS) {
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
      List<String> now = machine.held();
      same = now.equals(before) ? same + 1 : 0;
      before = now;
    }
    return before;
  }
}
