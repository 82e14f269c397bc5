package io.zett.sandbox.engine;

import io.zett.sandbox.Limit;
import io.zett.sandbox.Outcome;
import io.zett.sandbox.SandboxCanceledException;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.Usage;
import io.zett.sandbox.portable.Budget;
import io.zett.sandbox.portable.Finish;
import io.zett.sandbox.portable.Following;
import io.zett.sandbox.portable.StartPlan;
import io.zett.sandbox.portable.Timers;
import io.zett.sandbox.process.Input;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The way of a command that the JDK starts. */
final class PortableCourse implements Course {
  private static final int NOT_FOUND = 127;
  private static final int NOT_EXECUTABLE = 126;
  private static final int CPU_SIGNAL = 128 + 24; // SIGXCPU of Linux, macOS and the BSDs
  private static final int FILE_SIZE_SIGNAL = 128 + 25; // SIGXFSZ likewise

  /** What Windows says of a file that is no program, or may not be started. */
  private static final Set<String> NO_PROGRAM = Set.of("2", "5", "193", "216");

  private static final Pattern ERROR = Pattern.compile("error[=:] ?(\\d+)");

  private final SandboxCommand command;
  private final Path directory;
  private final Optional<Duration> timeout;
  private final CommandStreams streams;
  private final Starts starts;
  private final Budget budget;
  private final Timers timers;
  private @Nullable Following following;
  private int unstarted; // its exit code when there is no program that could be started

  PortableCourse(
      SandboxCommand command,
      Path directory,
      Optional<Duration> timeout,
      CommandStreams streams,
      Starts starts,
      Budget budget,
      Timers timers) {
    this.command = command;
    this.directory = directory;
    this.timeout = timeout;
    this.streams = streams;
    this.starts = starts;
    this.budget = budget;
    this.timers = timers;
  }

  @Override
  public SandboxCommand command() {
    return command;
  }

  @Override
  public void begin(CommandRun run) {
    if (!Files.isDirectory(directory)) {
      String problem = Files.exists(directory) ? "is no directory" : "does not exist";
      throw new SandboxSetupException("working directory", directory, problem, null);
    }
    Optional<StartPlan> plan = starts.plan(command, directory);
    if (plan.isEmpty()) {
      unstarted = NOT_FOUND;
      return;
    }
    Following started;
    try {
      started = Following.begin(plan.get(), budget, streams(), timeout, timers);
    } catch (OutOfMemoryError e) {
      throw Shortage.of("starting the command", e);
    } catch (IOException e) {
      String problem = String.valueOf(e.getMessage());
      Matcher error = ERROR.matcher(problem);
      if (plan.get().tools() == null && error.find() && NO_PROGRAM.contains(error.group(1))) {
        unstarted = NOT_EXECUTABLE;
        return;
      }
      throw new SandboxSetupException("starting the command", null, problem, e);
    }
    following = started;
    run.supervise(started);
  }

  @Override
  public SandboxResult finish(CommandRun run) {
    Following begun = following;
    if (begun == null) {
      return unstarted(unstarted);
    }
    run.await(begun.manner());
    return result(begun.finish(), run.reason());
  }

  private Following.Streams streams() {
    return new Following.Streams(input(), streams.out(), streams.err());
  }

  private @Nullable InputStream input() {
    return switch (streams.input()) {
      case Input.None _ -> null;
      case Input.Bytes(byte[] bytes) -> new ByteArrayInputStream(bytes);
      case Input.Stream(InputStream stream) -> stream;
      case Input.Descriptor(int number) -> PortableGround.descriptor(number);
      case Input.File file ->
          throw new IllegalStateException("an input of another ground: " + file);
    };
  }

  /** The streams end as those of a command that wrote nothing. */
  private SandboxResult unstarted(int code) {
    SandboxResult.Builder builder = SandboxResult.builder(command, new Outcome.Exited(code));
    streams.describe(builder);
    return builder.build();
  }

  private SandboxResult result(Finish finish, String cancelReason) {
    Set<Limit> hit = EnumSet.noneOf(Limit.class);
    Outcome outcome = outcome(finish.how(), cancelReason, hit);
    SandboxResult.Builder builder =
        SandboxResult.builder(command, outcome).limitsHit(hit).usage(usage(finish));
    streams.describe(builder);
    SandboxResult result = builder.build();
    if (outcome instanceof Outcome.Canceled canceled) {
      throw new SandboxCanceledException(
          canceled.reason(), finish.wallNanos() == 0 ? null : result);
    }
    return result;
  }

  private Outcome outcome(Finish.How how, String cancelReason, Set<Limit> hit) {
    return switch (how) {
      case Finish.Exited(int status) -> exited(status, hit);
      case Finish.TimedOut _ -> new Outcome.TimedOut(timeout.orElse(Duration.ZERO));
      case Finish.Ended _ -> new Outcome.Canceled(cancelReason);
      case Finish.Exceeded(Limit limit) -> {
        hit.add(limit);
        yield new Outcome.LimitExceeded(limit);
      }
      case Finish.NotBegun(String detail) ->
          throw new SandboxSetupException(
              "starting the command",
              detail.isEmpty() ? "what starts it ended without a word" : detail);
      case Finish.InputFailed(IOException cause) ->
          throw new SandboxSetupException("input", null, String.valueOf(cause.getMessage()), cause);
      case Finish.Blind(IOException cause) ->
          throw new SandboxSetupException(
              "watching the limits",
              null,
              "the command was ended, since " + cause.getMessage(),
              cause);
    };
  }

  private Outcome exited(int status, Set<Limit> hit) {
    if (status == CPU_SIGNAL && starts.bounds(Limit.CPU_SECONDS)) {
      hit.add(Limit.CPU_SECONDS);
      return new Outcome.LimitExceeded(Limit.CPU_SECONDS);
    }
    if (status == FILE_SIZE_SIGNAL && starts.bounds(Limit.FILE_SIZE)) {
      hit.add(Limit.FILE_SIZE);
      return new Outcome.LimitExceeded(Limit.FILE_SIZE);
    }
    return new Outcome.Exited(status);
  }

  private Usage usage(Finish finish) {
    return new Usage(
        Duration.ofNanos(finish.wallNanos()),
        Duration.ofNanos(finish.setupNanos()),
        budget.cpuSeconds().isPresent()
            ? Optional.of(Duration.ofNanos(finish.cpuNanos()))
            : Optional.empty(),
        finish.peakBytes() > 0 ? OptionalLong.of(finish.peakBytes()) : OptionalLong.empty());
  }

  @Override
  public RuntimeException failure(Throwable cause) {
    return cause instanceof OutOfMemoryError shortage
        ? Shortage.of("following the command, which was ended", shortage)
        : new IllegalStateException("the engine failed", cause);
  }
}
