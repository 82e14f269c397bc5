package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxCanceledException;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.cases.outside.Eventually;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** The ways of a command through the library, and what each gives when nothing fails. */
enum FaultedCommand {
  OUTPUT,
  INPUT,
  STREAM,
  TERMINAL,
  PAST_THE_CAP,
  TIME_OUT,
  CANCEL;

  private static final int LINES = 20_000;
  private static final int LENGTH = 108_894; // of the numbers up to there
  private static final int SCREEN = LENGTH + LINES + 5 + 5; // CR LF; an echo, and what cat says
  private static final int INPUT_LENGTH = 300_000;
  private static final SandboxCommand COUNTING = SandboxCommand.shell("wc -c >&2");
  private static final int CAP = 10;
  private static final Duration LIMIT = Duration.ofMillis(20);

  String run(Engine engine, Path workspace) throws Exception {
    return switch (this) {
      case OUTPUT -> shown(engine.run(SandboxCommand.shell("seq " + LINES + "; echo err >&2")));
      case INPUT -> shown(engine.run(COUNTING.input(new byte[INPUT_LENGTH])));
      case STREAM ->
          shown(engine.run(COUNTING.input(new ByteArrayInputStream(new byte[INPUT_LENGTH]))));
      case TERMINAL ->
          shown(
              engine.run(
                  SandboxCommand.shell("seq " + LINES + "; cat")
                      .terminal(1, 1)
                      .input("end\n")
                      .maxOutputBytes(SCREEN)));
      case PAST_THE_CAP ->
          shown(engine.run(SandboxCommand.shell("seq " + LINES).maxOutputBytes(CAP)));
      case TIME_OUT ->
          shown(engine.run(SandboxCommand.shell("sleep 600 & sleep 600").timeout(LIMIT)));
      case CANCEL -> canceled(engine, workspace);
    };
  }

  String expected() {
    return switch (this) {
      case OUTPUT -> "Exited[code=0] " + LENGTH + " of " + LENGTH + " err\n";
      case INPUT, STREAM -> "Exited[code=0] 0 of 0 " + INPUT_LENGTH + "\n";
      case TERMINAL -> "Exited[code=0] " + SCREEN + " of " + SCREEN + " ";
      case PAST_THE_CAP -> "Exited[code=0] " + CAP + " of " + LENGTH + " ";
      case TIME_OUT -> "TimedOut[limit=" + LIMIT + "] 0 of 0 ";
      case CANCEL -> "canceled: by the test";
    };
  }

  private static String canceled(Engine engine, Path workspace) throws Exception {
    Path started = workspace.resolve("started");
    Files.deleteIfExists(started);
    SandboxCommand command = SandboxCommand.shell("sleep 600 & touch started; sleep 600");
    CommandRun run =
        engine.begin(command, CommandStreams.captured(command, engine.ground()::input));
    FutureTask<String> done = new FutureTask<>(() -> shown(run.execute()));
    Thread.ofVirtual().start(done);
    Eventually.within(
        Duration.ofSeconds(20), "it runs", () -> done.isDone() || Files.exists(started));
    run.cancel("by the test");
    try {
      return done.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SandboxCanceledException told) {
        return "canceled: " + told.reason();
      }
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  private static String shown(SandboxResult result) {
    return result.outcome()
        + " "
        + result.stdoutBytes().length
        + " of "
        + result.stdoutTotalBytes()
        + " "
        + result.stderr();
  }
}
