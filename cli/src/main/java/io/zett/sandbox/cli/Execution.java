package io.zett.sandbox.cli;

import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxCanceledException;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.engine.Engine;
import io.zett.sandbox.engine.Foreground;
import java.io.OutputStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * One command that was run in a sandbox of its own, which is gone by now.
 *
 * @param result how it ended; its output went to the streams
 * @param backend what ran it
 */
record Execution(SandboxResult result, SandboxBackend backend) {

  static Execution run(
      RunRequest request, Signals signals, OutputStream out, OutputStream err, Streams streams) {
    try (signals) {
      return run(
          Engine.open(request.policy(), request.workspace()), request, signals, out, err, streams);
    }
  }

  private static Execution run(
      Engine engine,
      RunRequest request,
      Signals signals,
      OutputStream out,
      OutputStream err,
      Streams streams) {
    try {
      if (request.verbose()) {
        describe(engine, request.workspace(), streams);
      }
      if (!request.json()) {
        UnenforcedLimits.of(request.policy(), engine.report()).ifPresent(streams::say);
      }
      Foreground foreground =
          Foreground.start(engine, request.command(), out, err, StandardInput.descriptor());
      signals.whenReceived(foreground::cancel);
      SandboxResult result = asCanceled(await(foreground, request), signals);
      return new Execution(result, engine.report().backend());
    } finally {
      engine.close();
    }
  }

  /** The result with the output in it. */
  SandboxResult withOutput(HeadBuffer out, HeadBuffer err) {
    return SandboxResult.builder(result.command(), result.outcome())
        .limitsHit(result.limitsHit())
        .usage(result.usage())
        .stdout(out.bytes())
        .stdoutTotalBytes(out.total())
        .stderr(err.bytes())
        .stderrTotalBytes(err.total())
        .build();
  }

  private static SandboxResult await(Foreground foreground, RunRequest request) {
    try {
      return foreground.await();
    } catch (SandboxCanceledException e) {
      return e.result()
          .orElseGet(
              () ->
                  SandboxResult.builder(request.command(), new Outcome.Canceled(e.reason()))
                      .build());
    }
  }

  /**
   * Ctrl-C at a terminal goes to the sandbox's launcher too, which may be faster in ending the
   * command than we are: still it was canceled.
   */
  private static SandboxResult asCanceled(SandboxResult result, Signals signals) {
    String signal = signals.reason();
    if (signal == null || !(result.outcome() instanceof Outcome.Signaled)) {
      return result;
    }
    return SandboxResult.builder(result.command(), new Outcome.Canceled(signal))
        .limitsHit(result.limitsHit())
        .usage(result.usage())
        .build();
  }

  private static void describe(Engine engine, @Nullable Path workspace, Streams streams) {
    streams.say("workspace: " + engine.workspace() + (workspace == null ? " (private)" : ""));
    engine.report().toString().lines().forEach(streams::say);
  }
}
