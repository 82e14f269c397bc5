package io.zett.sandbox.engine;

import io.zett.sandbox.Limit;
import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxCanceledException;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.Usage;
import io.zett.sandbox.limits.LimitGroup;
import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.process.EndReason;
import io.zett.sandbox.process.Ending;
import io.zett.sandbox.process.SetupFailure;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a command's end means for its caller: a result, or an exception. */
final class Results {
  private static final int SIGNAL_BASE = 128;

  private Results() {}

  static SandboxResult of(
      CommandPlan plan,
      CommandStreams streams,
      Prepared prepared,
      @Nullable Ending ending,
      String cancelReason) {
    if (ending == null) {
      throw new SandboxCanceledException(cancelReason, null);
    }
    prepared.watch().stop();
    Set<Limit> hit;
    try {
      hit = limitsHit(prepared, ending);
    } catch (PosixException e) {
      throw new SandboxSetupException(
          "finding out whether a limit was hit",
          null,
          Shortage.explained(e) + "; the command has ended",
          e);
    }
    Outcome outcome = unlessViolated(outcome(plan, prepared, ending, hit, cancelReason), prepared);
    if (outcome instanceof Outcome.LimitExceeded over) {
      hit.add(over.limit());
    }
    SandboxResult.Builder builder =
        SandboxResult.builder(plan.command(), outcome)
            .limitsHit(hit)
            .usage(usage(prepared.limits(), ending));
    streams.describe(builder);
    SandboxResult result = builder.build();
    if (outcome instanceof Outcome.Canceled canceled) {
      throw new SandboxCanceledException(
          canceled.reason(), ending.wallNanos() == 0 ? null : result);
    }
    return result;
  }

  private static Outcome outcome(
      CommandPlan plan, Prepared prepared, Ending ending, Set<Limit> hit, String cancelReason) {
    return switch (ending.how()) {
      case Ending.Exited exited -> exited(exited, hit);
      case Ending.TimedOut _ -> new Outcome.TimedOut(plan.timeout().orElse(Duration.ZERO));
      case Ending.Ended ended -> ended(ended.reason(), prepared, cancelReason);
      case Ending.Lost _ ->
          hit.contains(Limit.MEMORY)
              ? new Outcome.LimitExceeded(Limit.MEMORY)
              : new Outcome.Signaled(Constants.SIGKILL);
      case Ending.SetupFailed failed -> throw setupException(prepared, failed);
      case Ending.InputFailed failed ->
          throw new SandboxSetupException(
              "input", null, String.valueOf(failed.cause().getMessage()), failed.cause());
    };
  }

  private static Outcome ended(EndReason reason, Prepared prepared, String cancelReason) {
    Limit exceeded = prepared.watch().exceeded();
    RuntimeException blind = prepared.watch().failure();
    if (blind != null && exceeded == null && reason == EndReason.LIMIT) {
      String why =
          blind instanceof PosixException refused
              ? Shortage.explained(refused)
              : String.valueOf(blind.getMessage());
      throw new SandboxSetupException(
          "watching the limits", null, "the command was ended, since " + why, blind);
    }
    return switch (reason) {
      case LIMIT -> new Outcome.LimitExceeded(exceeded == null ? Limit.MEMORY : exceeded);
      case CANCELED, CLOSED -> new Outcome.Canceled(cancelReason);
      case VIOLATED -> new Outcome.Canceled(violation(prepared, violated(prepared)));
    };
  }

  /** A command that ended before it could be ended may have seen what is denied all the same. */
  private static Outcome unlessViolated(Outcome outcome, Prepared prepared) {
    if (outcome instanceof Outcome.Canceled) {
      return outcome;
    }
    UnixPath violated = violated(prepared);
    return violated == null ? outcome : new Outcome.Canceled(violation(prepared, violated));
  }

  private static @Nullable UnixPath violated(Prepared prepared) {
    UnixPath violated = prepared.violated();
    SandboxSetupException blind = prepared.blind();
    if (violated == null && blind != null) {
      throw blind;
    }
    return violated;
  }

  private static String violation(Prepared prepared, @Nullable UnixPath path) {
    boolean appeared = path != null && prepared.mustBeAbsent(path);
    String change = appeared ? "appeared" : "was removed or replaced";
    return "the denied path " + path + " " + change + " while it ran";
  }

  private static Outcome exited(Ending.Exited exited, Set<Limit> hit) {
    if (hit.contains(Limit.MEMORY)) {
      return new Outcome.LimitExceeded(Limit.MEMORY);
    }
    int code = exited.code();
    boolean endedForTime =
        code == SIGNAL_BASE + Constants.SIGXCPU || code == SIGNAL_BASE + Constants.SIGKILL;
    if (hit.contains(Limit.CPU_SECONDS) && endedForTime) {
      return new Outcome.LimitExceeded(Limit.CPU_SECONDS);
    }
    if (!exited.isSignaled()) {
      return new Outcome.Exited(code);
    }
    return hit.contains(Limit.FILE_SIZE) && exited.signal() == Constants.SIGXFSZ
        ? new Outcome.LimitExceeded(Limit.FILE_SIZE)
        : new Outcome.Signaled(exited.signal());
  }

  private static SandboxSetupException setupException(
      Prepared prepared, Ending.SetupFailed failed) {
    SandboxSetupException rejected = prepared.rejected();
    if (rejected != null) {
      return rejected;
    }
    SetupFailure failure = failed.failure();
    UnixPath path = failure.path();
    return new SandboxSetupException(
        failure.step(),
        path == null ? null : path.toPath(),
        Shortage.explained(failure.detail(), failure.errno()),
        failure);
  }

  private static Set<Limit> limitsHit(Prepared prepared, Ending ending) {
    int signal = ending.how() instanceof Ending.Exited exited ? exited.signal() : 0;
    long cpu = cpuMicros(ending.usage());
    Set<Limit> hit = EnumSet.noneOf(Limit.class);
    hit.addAll(prepared.limits().hit(signal, cpu));
    return hit;
  }

  private static long cpuMicros(Ending.Usage usage) {
    return usage.userMicros() < 0 || usage.systemMicros() < 0
        ? -1
        : usage.userMicros() + usage.systemMicros();
  }

  private static Usage usage(LimitGroup limits, Ending ending) {
    OptionalLong cpu = limits.cpuMicros(cpuMicros(ending.usage()));
    OptionalLong peak = limits.peakBytes();
    if (peak.isEmpty() && ending.usage().maxRssKib() > 0) {
      peak = OptionalLong.of(ending.usage().maxRssKib() * 1024);
    }
    return new Usage(
        Duration.ofNanos(ending.wallNanos()),
        Duration.ofNanos(ending.setupNanos()),
        cpu.isPresent() ? Optional.of(Duration.ofNanos(cpu.getAsLong() * 1_000)) : Optional.empty(),
        peak);
  }
}
