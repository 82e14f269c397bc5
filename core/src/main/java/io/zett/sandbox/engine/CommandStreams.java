package io.zett.sandbox.engine;

import io.zett.sandbox.CommandInput;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.process.Capture;
import io.zett.sandbox.process.Input;
import io.zett.sandbox.process.Relay;
import io.zett.sandbox.process.Sink;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Where a command's standard streams come from and go to.
 *
 * @param input what it reads
 * @param out where its output goes
 * @param err where its error output goes; null when it shares the output's pipe
 */
record CommandStreams(Input input, Sink out, @Nullable Sink err) {

  /** As the command says: given input, output kept up to the cap. */
  static CommandStreams captured(SandboxCommand command) {
    return new CommandStreams(
        input(command),
        new Capture(command.maxOutputBytes()),
        command.mergesStderr() ? null : new Capture(command.maxOutputBytes()));
  }

  /** Live, uncapped, and with input from a descriptor unless the command has its own. */
  static CommandStreams live(
      SandboxCommand command, OutputStream out, OutputStream err, int inputDescriptor) {
    Input input =
        command.input().isPresent() || inputDescriptor < 0
            ? input(command)
            : new Input.Descriptor(inputDescriptor);
    return new CommandStreams(
        input, new Relay(out), command.mergesStderr() ? null : new Relay(err));
  }

  private static Input input(SandboxCommand command) {
    CommandInput given = command.input().orElse(null);
    return switch (given) {
      case null -> new Input.None();
      case CommandInput.Text text -> new Input.Bytes(text.toBytes());
      case CommandInput.Bytes bytes -> new Input.Bytes(bytes.toBytes());
      case CommandInput.File file -> new Input.File(UnixPath.of(file.path().toAbsolutePath()));
      case CommandInput.Stream stream -> new Input.Stream(stream.stream());
    };
  }

  /** Adds what was written. */
  void describe(SandboxResult.Builder result) {
    result.stdoutTotalBytes(out.total());
    if (out instanceof Capture kept) {
      result.stdout(kept.bytes());
    }
    if (err != null) {
      result.stderrTotalBytes(err.total());
      if (err instanceof Capture kept) {
        result.stderr(kept.bytes());
      }
    }
  }
}
