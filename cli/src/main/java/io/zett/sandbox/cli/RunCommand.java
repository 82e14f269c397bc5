package io.zett.sandbox.cli;

import io.zett.sandbox.SandboxResult;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/** {@code zett run}: one command to its end, with its streams passed through or kept for JSON. */
final class RunCommand {
  private RunCommand() {}

  static int run(RunRequest request, Streams streams) {
    Signals signals = Signals.install();
    try {
      return request.json() ? json(request, signals, streams) : live(request, signals, streams);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      if (request.verbose()) {
        e.printStackTrace(streams.err());
      }
      Failure failure = Failure.of(e);
      int status = request.json() ? fail(failure, streams) : tell(failure, streams);
      return signals.exitStatus().orElse(status);
    }
  }

  /** Says on standard output, as an object, that nothing was run. */
  static int fail(Failure failure, Streams streams) {
    try {
      ResultJson.write(failure, streams.out());
    } catch (IOException e) {
      streams.say("standard output: " + e.getMessage());
    }
    return failure.kind().exitStatus();
  }

  private static int tell(Failure failure, Streams streams) {
    failure.tell(streams);
    return failure.kind().exitStatus();
  }

  private static int live(RunRequest request, Signals signals, Streams streams) {
    WatchedOutput out = new WatchedOutput(streams.out());
    Execution execution = Execution.run(request, signals, out, streams.rawErr(), streams);
    out.failure().ifPresent(problem -> streams.say("standard output: " + problem));
    Reason.of(execution.result(), signals).ifPresent(streams::sayIfRead);
    int status = status(request, execution.result(), signals, streams);
    // A success whose output is lost is none.
    return status == ExitStatus.OK && out.failure().isPresent() ? ExitStatus.NOT_RUN : status;
  }

  private static int json(RunRequest request, Signals signals, Streams streams) throws IOException {
    long cap = request.command().maxOutputBytes();
    HeadBuffer out = new HeadBuffer(cap);
    HeadBuffer err = new HeadBuffer(cap);
    Execution execution = Execution.run(request, signals, out, err, streams);
    SandboxResult result = execution.withOutput(out, err);
    ResultJson.write(result, execution.backend(), streams.out());
    return status(request, result, signals, streams);
  }

  private static int status(
      RunRequest request, SandboxResult result, Signals signals, Streams streams) {
    Optional<String> hint = NotFoundHint.of(request, result);
    hint.ifPresent(streams::say);
    return signals.exitStatus().orElseGet(() -> ExitStatus.of(result.outcome()));
  }

  /** Remembers why standard output could not be written, unless its reader simply left. */
  private static final class WatchedOutput extends OutputStream {
    private final OutputStream out;
    private volatile Optional<String> failure = Optional.empty();

    WatchedOutput(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      try {
        out.write(bytes, offset, length);
      } catch (IOException e) {
        String text = String.valueOf(e.getMessage());
        failure = text.contains("Broken pipe") ? Optional.empty() : Optional.of(text);
        throw e;
      }
    }

    @Override
    public void flush() throws IOException {
      out.flush();
    }

    Optional<String> failure() {
      return failure;
    }
  }
}
