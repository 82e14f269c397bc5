package io.zett.sandbox.flight;

import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxCanceledException;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.Usage;
import java.time.Duration;

/** A command that becomes a {@link CommandEvent}. */
final class RecordedCommand implements CommandFlight {
  /** {@code NAME_MAX} of Linux: what is longer is no file's name, but perhaps a whole line. */
  private static final int LONGEST_NAME = 255;

  private final CommandEvent event = new CommandEvent();
  private final long entered = System.nanoTime();

  private RecordedCommand() {}

  static CommandFlight begin(long session, SandboxBackend backend, String program) {
    RecordedCommand command = new RecordedCommand();
    if (!command.event.isEnabled()) {
      return UNRECORDED;
    }
    command.event.session = session;
    command.event.backend = backend.wireName();
    command.event.program = fileName(program);
    command.event.begin();
    return command;
  }

  /** The last component; nothing of a folder, which may name people and customers. */
  private static String fileName(String program) {
    String name = program.substring(program.lastIndexOf('/') + 1);
    return name.substring(0, Math.min(name.length(), LONGEST_NAME));
  }

  @Override
  public void admitted() {
    event.queueTime = System.nanoTime() - entered;
  }

  @Override
  public void startedAhead() {
    event.startedAhead = true;
  }

  @Override
  public void ended(SandboxResult result) {
    describe(result);
    event.commit();
  }

  @Override
  public void failed(Throwable failure) {
    if (failure instanceof SandboxCanceledException canceled) {
      canceled.result().ifPresent(this::describe);
      event.outcome = "canceled";
    } else {
      event.outcome = "error";
      event.failedStep = FailedStep.of(failure);
    }
    event.commit();
  }

  private void describe(SandboxResult result) {
    Usage usage = result.usage();
    event.outcome = result.outcome().wireName();
    event.exitCode = result.exitCode();
    if (result.outcome() instanceof Outcome.LimitExceeded exceeded) {
      event.limit = exceeded.limit().wireName();
    }
    event.setupTime = usage.setup().toNanos();
    event.wallTime = usage.wall().toNanos();
    event.cpuTime = usage.cpu().map(Duration::toNanos).orElse(CommandEvent.UNKNOWN);
    event.peakMemory = usage.peakMemory().orElse(CommandEvent.UNKNOWN);
    event.stdoutBytes = result.stdoutTotalBytes();
    event.stderrBytes = result.stderrTotalBytes();
  }
}
