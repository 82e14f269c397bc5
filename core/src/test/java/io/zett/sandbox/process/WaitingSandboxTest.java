package io.zett.sandbox.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A sandbox that is built before it is known what it will run. */
class WaitingSandboxTest {

  private final Commands commands = new Commands();
  private final CompletableFuture<Void> waiting = new CompletableFuture<>();

  @AfterEach
  void nothingIsLeft() {
    commands.close();
    commands.assertNothingRuns();
  }

  private Supervisor prepared(Commands.Launch launch) throws Exception {
    Supervisor supervisor =
        Supervisor.prepare(
            commands.loop,
            commands.posix,
            commands.shell(launch, "").order(),
            () -> waiting.complete(null));
    waiting.get(30, TimeUnit.SECONDS);
    return supervisor;
  }

  private boolean give(Supervisor supervisor, Job job) throws Exception {
    CompletableFuture<Boolean> taken = new CompletableFuture<>();
    supervisor.give(job, () -> taken.complete(true), () -> taken.complete(false));
    return taken.get(30, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @EnumSource
  void itRunsWhatItIsGiven(Commands.Launch launch) throws Exception {
    Supervisor supervisor = prepared(launch);
    assertThat(supervisor.ending()).isNotDone();
    Commands.Builder builder =
        commands
            .shell(launch, "cat; echo err >&2; exit 3")
            .input(new Input.Bytes("in\n".getBytes(UTF_8)));
    assertThat(give(supervisor, builder.job())).isTrue();
    Commands.Done done = builder.finish(supervisor);
    assertThat(done.code()).isEqualTo(3);
    assertThat(done.out()).isEqualTo("in\n");
    assertThat(done.err()).isEqualTo("err\n");
  }

  @ParameterizedTest
  @EnumSource
  void itTakesOneCommandOnly(Commands.Launch launch) throws Exception {
    Supervisor supervisor = prepared(launch);
    Commands.Builder first = commands.shell(launch, "echo one").merged();
    assertThat(give(supervisor, first.job())).isTrue();
    assertThat(give(supervisor, commands.shell(launch, "echo two").job())).isFalse();
    assertThat(first.finish(supervisor).out()).isEqualTo("one\n");
  }

  @ParameterizedTest
  @EnumSource
  void onceEndedItTakesNothing(Commands.Launch launch) throws Exception {
    Supervisor supervisor = prepared(launch);
    supervisor.end(EndReason.CLOSED);
    Commands.await(supervisor);
    Commands.Builder late = commands.shell(launch, "echo never");
    assertThat(give(supervisor, late.job())).isFalse();
    assertThat(Commands.text(late.out)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void theTimeBeginsWithTheCommand(Commands.Launch launch) throws Exception {
    Supervisor supervisor = prepared(launch);
    Commands.Builder builder =
        commands.shell(launch, "echo begun; sleep 100").timeout(Duration.ofMillis(300));
    assertThat(give(supervisor, builder.job())).isTrue();
    Commands.Done done = builder.finish(supervisor);
    assertThat(done.ending().how()).isInstanceOf(Ending.TimedOut.class);
    assertThat(done.out()).isEqualTo("begun\n");
  }
}
