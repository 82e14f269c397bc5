package io.zett.sandbox.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.faults.FaultSource;
import io.zett.sandbox.faults.FaultSource.Fault;
import io.zett.sandbox.faults.InterposedPosix;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.process.Commands.Launch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever happens to commands, nothing of them stays. */
@Timeout(120)
class LeakTest {

  @Test
  void fiveHundredCommandsLeaveNoDescriptorThreadOrProcess() {
    try (Commands commands = new Commands()) {
      for (Launch launch : Launch.values()) {
        commands.shell(launch, "echo warm").run();
      }
      commands.assertNothingRuns();
      List<String> before = Commands.descriptors();
      int threads = Thread.getAllStackTraces().size();
      for (int i = 0; i < 250; i++) {
        for (Launch launch : Launch.values()) {
          assertThat(commands.program(launch, "true").run().code()).isZero();
        }
      }
      for (Launch launch : Launch.values()) {
        for (int i = 0; i < 20; i++) {
          var late = commands.shell(launch, "sleep 9").timeout(Duration.ofMillis(1)).run();
          assertThat(late.ending().how()).isEqualTo(new Ending.TimedOut());
          var bad = commands.shell(launch, "true");
          bad.directory = "/no/such";
          assertThat(bad.run().ending().how()).isInstanceOf(Ending.SetupFailed.class);
        }
      }
      commands.assertNothingRuns();
      assertThat(Commands.descriptors()).hasSameSizeAs(before);
      assertThat(Thread.getAllStackTraces()).hasSizeLessThanOrEqualTo(threads + 2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void sixtyFourCommandsAtOnceAreKeptApart(Launch launch) {
    try (Commands commands = new Commands()) {
      List<Commands.Builder> all = new ArrayList<>();
      List<Supervisor> running = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        all.add(commands.shell(launch, "cat; echo err" + i + " >&2; exit " + i));
        all.getLast()
            .input(new Input.Bytes(("in" + i).getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        running.add(all.getLast().start());
      }
      for (int i = 0; i < 64; i++) {
        var done = all.get(i).finish(running.get(i));
        assertThat(done.code()).isEqualTo(i);
        assertThat(done.out()).isEqualTo("in" + i);
        assertThat(done.err()).isEqualTo("err" + i + "\n");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFailureOfAnyCallIsTheCommandsAloneAndLeavesNothing(Launch launch) throws Exception {
    FaultSource faults = new FaultSource();
    try (Commands commands = new Commands(InterposedPosix.over(Posix.system(), faults))) {
      commands.shell(launch, "echo warm").run();
      commands.assertNothingRuns();
      int before = Commands.descriptors().size();
      faults.record();
      mixed(commands, launch).start().ending().get(10, TimeUnit.SECONDS);
      List<FaultSource.Candidate> calls = faults.recorded();
      assertThat(calls).hasSizeGreaterThan(20);
      for (FaultSource.Candidate call : calls) {
        Fault fault = new Fault(call.site(), call.nth(), call.refusals().getLast());
        faults.arm(fault);
        Supervisor supervisor = mixed(commands, launch).start();
        try {
          supervisor.ending().get(10, TimeUnit.SECONDS);
        } catch (ExecutionException told) {
          // a failure of the library's own
        } catch (TimeoutException e) {
          throw new AssertionError("hangs after " + fault, e);
        }
        faults.disarm();
        commands.assertNothingRuns();
        assertThat(Commands.descriptors()).as("%s", fault).hasSize(before);
        assertThat(commands.shell(launch, "echo fine").run().out()).isEqualTo("fine\n");
      }
    }
  }

  private static Commands.Builder mixed(Commands commands, Launch launch) {
    var command = commands.shell(launch, "cat; echo done").cap(100);
    command.input(new Input.Bytes(new byte[100_000]));
    return command;
  }
}
