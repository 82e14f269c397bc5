package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.process.Ending;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** The way of a command through a sandbox that the event loop starts and watches. */
final class NativeCourse implements Course {
  /** So often a sandbox is built when the disk changes under it each time. */
  private static final int MOST_ATTEMPTS = 3;

  private final Opened opened;
  private final CommandPlan plan;
  private final CommandStreams streams;
  private final WarmPool warm;
  private Source source = Source.WARM;
  private int built;
  private @Nullable Attempt attempt;

  /** Where the next sandbox comes from. */
  private enum Source {
    WARM,
    AS_BEFORE,
    ANEW
  }

  /**
   * A sandbox that has the command.
   *
   * @param taken whether it was there still when it was given the command; null: it was built for
   *     it
   * @param warmed whether it comes from the warm ones
   * @param last whether there is no other one, whatever became of it
   */
  private record Attempt(
      Prepared sandbox, @Nullable CompletableFuture<Boolean> taken, boolean warmed, boolean last) {}

  NativeCourse(Opened opened, CommandPlan plan, CommandStreams streams, WarmPool warm) {
    this.opened = opened;
    this.plan = plan;
    this.streams = streams;
    this.warm = warm;
  }

  @Override
  public SandboxCommand command() {
    return plan.command();
  }

  @Override
  public void begin(CommandRun run) {
    attempt = next(run);
  }

  @Override
  public SandboxResult finish(CommandRun run) {
    SandboxResult result = end(run, Objects.requireNonNull(attempt));
    while (result == null) {
      run.throwIfCanceled();
      attempt = next(run);
      result = end(run, attempt);
    }
    return result;
  }

  /** A sandbox that has the command, be it that it is built only now. */
  private Attempt next(CommandRun run) {
    if (source == Source.WARM) {
      source = Source.AS_BEFORE;
      Attempt ahead = give(run, warm.take(), true);
      if (ahead != null) {
        return ahead;
      }
      run.throwIfCanceled();
    }
    if (source == Source.AS_BEFORE) {
      source = Source.ANEW;
      Prepared again = asBefore();
      built = again == null ? 0 : 1;
      Attempt given = give(run, again, false);
      if (given != null) {
        return given;
      }
      run.throwIfCanceled();
    }
    built++;
    return buildAnew(run, built == MOST_ATTEMPTS);
  }

  private Attempt buildAnew(CommandRun run, boolean last) {
    Prepared prepared = Preparation.of(opened);
    boolean done = false;
    try {
      prepared.run(plan, streams, run::supervise);
      done = true;
      return new Attempt(prepared, null, false, last);
    } finally {
      if (!done) {
        prepared.close();
      }
    }
  }

  /** Null when there is none. */
  private @Nullable Attempt give(CommandRun run, @Nullable Prepared ahead, boolean warmed) {
    if (ahead == null) {
      return null;
    }
    CompletableFuture<Boolean> taken = null;
    try {
      taken = ahead.give(plan, streams, run::supervise);
      return new Attempt(ahead, taken, warmed, false);
    } finally {
      if (taken == null) {
        WarmPool.endAndClose(ahead);
      }
    }
  }

  /** Null when it had ended before it was given anything, or is worth another one. */
  private @Nullable SandboxResult end(CommandRun run, Attempt attempt) {
    Prepared sandbox = attempt.sandbox();
    boolean isOver = false;
    try {
      Ending ending = run.await(sandbox.ending());
      isOver = true;
      // Asked only now: to be woken for it while the command runs costs more than all else here.
      boolean untouched =
          attempt.taken() != null && Boolean.FALSE.equals(run.await(attempt.taken()));
      if (untouched || (!attempt.last() && isWorthAnother(sandbox, ending))) {
        return null;
      }
      if (attempt.warmed()) {
        run.startedAhead();
      }
      return Results.of(plan, streams, sandbox, ending, run.reason());
    } finally {
      if (isOver) {
        sandbox.close();
      } else {
        WarmPool.endAndClose(sandbox);
      }
    }
  }

  /**
   * Whether the sandbox could not be built because what was on the disk changed meanwhile: a socket
   * went, a directory was renamed. Nothing has run then and nothing was written.
   */
  private boolean isWorthAnother(Prepared prepared, @Nullable Ending ending) {
    if (ending == null
        || !(ending.how() instanceof Ending.SetupFailed)
        || !streams.areUntouched()) {
      return false;
    }
    try {
      return !prepared.isAsPlannedFor(opened.survey().look());
    } catch (PosixException e) {
      return false; // The failure itself tells more.
    }
  }

  /**
   * One that is being built as the last one was, while the disk was looked at; null if there is no
   * such one, or if something has changed.
   */
  private @Nullable Prepared asBefore() {
    Prepared built = null;
    boolean holds = false;
    try {
      built = Preparation.asBefore(opened);
      if (built != null) {
        built.build(() -> {});
        holds = built.isAsPlannedFor(opened.survey().look());
      }
      return holds ? built : null;
    } catch (RejectedExecutionException | PosixException | SandboxSetupException e) {
      return null; // The next attempt tells.
    } finally {
      if (built != null && !holds) {
        warm.discard(List.of(built));
      }
    }
  }

  /** What the kernel refused us meanwhile is no defect of ours. */
  @Override
  public RuntimeException failure(Throwable told) {
    return switch (told) {
      case PosixException cause ->
          new SandboxSetupException(
              "following the command", null, Shortage.explained(cause) + "; it was ended", cause);
      case OutOfMemoryError cause -> Shortage.of("following the command, which was ended", cause);
      default -> new IllegalStateException("the engine failed", told);
    };
  }
}
