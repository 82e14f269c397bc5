package io.zett.sandbox.spark;

import io.zett.sandbox.Limit;
import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.Usage;
import java.io.Serial;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A {@link SandboxResult} on its way from an executor. Of the command it has the program alone. */
final class RunSpec implements Serializable {
  @Serial private static final long serialVersionUID = 1;

  private final String program;
  private final SandboxBackend backend;
  private final String outcome;
  // The exit status or the signal; else the limit or the reason.
  private final int number;
  private final String detail;
  private final ArrayList<Limit> limitsHit;
  private final byte[] stdout;
  private final byte[] stderr;
  private final long stdoutTotalBytes;
  private final long stderrTotalBytes;
  private final long wallNanos;
  private final long setupNanos;
  private final @Nullable Long cpuNanos;
  private final @Nullable Long peakMemory;

  RunSpec(SandboxResult result, SandboxBackend backend) {
    this.backend = backend;
    program = result.command().program();
    outcome = result.outcome().wireName();
    number =
        switch (result.outcome()) {
          case Outcome.Exited(int code) -> code;
          case Outcome.Signaled(int signal) -> signal;
          default -> 0;
        };
    detail =
        switch (result.outcome()) {
          case Outcome.TimedOut(Duration limit) -> limit.toString();
          case Outcome.LimitExceeded(Limit limit) -> limit.wireName();
          case Outcome.Canceled(String reason) -> reason;
          default -> "";
        };
    limitsHit = new ArrayList<>(result.limitsHit());
    stdout = result.stdoutBytes();
    stderr = result.stderrBytes();
    stdoutTotalBytes = result.stdoutTotalBytes();
    stderrTotalBytes = result.stderrTotalBytes();
    Usage usage = result.usage();
    wallNanos = usage.wall().toNanos();
    setupNanos = usage.setup().toNanos();
    cpuNanos = usage.cpu().map(Duration::toNanos).orElse(null);
    peakMemory = usage.peakMemory().isPresent() ? usage.peakMemory().getAsLong() : null;
  }

  SandboxBackend backend() {
    return backend;
  }

  long weight() {
    return stdout.length + stderr.length;
  }

  SandboxResult result() {
    return SandboxResult.builder(SandboxCommand.of(program), outcome())
        .limitsHit(limitsHit)
        .stdout(stdout)
        .stderr(stderr)
        .stdoutTotalBytes(stdoutTotalBytes)
        .stderrTotalBytes(stderrTotalBytes)
        .usage(
            new Usage(
                Duration.ofNanos(wallNanos),
                Duration.ofNanos(setupNanos),
                Optional.ofNullable(cpuNanos).map(Duration::ofNanos),
                peakMemory == null ? OptionalLong.empty() : OptionalLong.of(peakMemory)))
        .build();
  }

  private Outcome outcome() {
    return switch (outcome) {
      case "exited" -> new Outcome.Exited(number);
      case "signaled" -> new Outcome.Signaled(number);
      case "timed_out" -> new Outcome.TimedOut(Duration.parse(detail));
      case "limit_exceeded" -> new Outcome.LimitExceeded(Limit.of(detail));
      case "canceled" -> new Outcome.Canceled(detail);
      default -> throw new IllegalStateException(outcome);
    };
  }
}
