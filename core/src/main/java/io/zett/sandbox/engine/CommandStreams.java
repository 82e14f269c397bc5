package io.zett.sandbox.engine;

import io.zett.sandbox.CommandInput;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.TerminalSize;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.process.Backlog;
import io.zett.sandbox.process.Capture;
import io.zett.sandbox.process.Input;
import io.zett.sandbox.process.Relay;
import io.zett.sandbox.process.Sink;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where a command's standard streams come from and go to.
 *
 * @param input what it reads
 * @param out where its output goes
 * @param err where its error output goes; null when it shares the output's pipe
 * @param terminal the terminal that they are; null for pipes
 */
record CommandStreams(Input input, Sink out, @Nullable Sink err, @Nullable TerminalSize terminal) {

  private static CommandStreams of(
      SandboxCommand command, Input input, Sink out, @Nullable Sink err) {
    TerminalSize size = command.terminal().orElse(null);
    return size == null
        ? new CommandStreams(input, out, err, null)
        : new CommandStreams(
            new Input.Stream(new UnreadStream(new TerminalInput(typed(input)))), out, null, size);
  }

  private static TerminalInput.Source typed(Input input) {
    return switch (input) {
      case Input.None _ -> InputStream::nullInputStream;
      case Input.Bytes(byte[] bytes) -> () -> new ByteArrayInputStream(bytes);
      case Input.Stream(InputStream stream) -> () -> stream;
      case Input.File(UnixPath path) -> () -> Files.newInputStream(path.toPath());
      case Input.Descriptor(int fd) ->
          throw new IllegalArgumentException("a terminal with descriptor " + fd + " as its input");
    };
  }

  /**
   * As the command says: given input, output kept up to the cap.
   *
   * @param files how a file becomes an input
   */
  static CommandStreams captured(SandboxCommand command, Function<Path, Input> files) {
    return of(
        command,
        input(command, files),
        new Capture(command.maxOutputBytes()),
        command.mergesStderr() ? null : new Capture(command.maxOutputBytes()));
  }

  /** Live, uncapped, and with input from a descriptor unless the command has its own. */
  static CommandStreams live(
      SandboxCommand command,
      Function<Path, Input> files,
      OutputStream out,
      OutputStream err,
      int inputDescriptor) {
    Input input =
        command.input().isPresent() || inputDescriptor < 0
            ? input(command, files)
            : new Input.Descriptor(inputDescriptor);
    return of(command, input, new Relay(out), command.mergesStderr() ? null : new Relay(err));
  }

  /**
   * Handed on as it comes.
   *
   * @param stdin the input; null when the command brings its own
   */
  static CommandStreams streamed(
      SandboxCommand command,
      Function<Path, Input> files,
      @Nullable InputStream stdin,
      Backlog out,
      @Nullable Backlog err) {
    return of(
        command,
        stdin == null ? input(command, files) : new Input.Stream(new UnreadStream(stdin)),
        out,
        err);
  }

  private static Input input(SandboxCommand command, Function<Path, Input> files) {
    CommandInput given = command.input().orElse(null);
    return switch (given) {
      case null -> new Input.None();
      case CommandInput.Text text -> new Input.Bytes(text.toBytes());
      case CommandInput.Bytes bytes -> new Input.Bytes(bytes.toBytes());
      case CommandInput.File file -> files.apply(file.path());
      case CommandInput.Stream stream -> new Input.Stream(new UnreadStream(stream.stream()));
    };
  }

  /** Whether a command that did not run has left its input as it was. */
  boolean areUntouched() {
    return switch (input) {
      case Input.Stream(InputStream stream) -> stream instanceof UnreadStream it && it.isUnread();
      case Input.Descriptor _ -> false;
      case Input.None _, Input.Bytes _, Input.File _ -> true;
    };
  }

  /** Adds what was written. */
  void describe(SandboxResult.Builder result) {
    result.stdoutTotalBytes(out.total());
    byte[] written = kept(out);
    if (written != null) {
      result.stdout(written);
    }
    if (err != null) {
      result.stderrTotalBytes(err.total());
      byte[] errors = kept(err);
      if (errors != null) {
        result.stderr(errors);
      }
    }
  }

  private static byte @Nullable [] kept(Sink sink) {
    return switch (sink) {
      case Backlog backlog -> backlog.head().bytes();
      case Capture capture -> capture.bytes();
      case Relay _ -> null;
    };
  }
}
