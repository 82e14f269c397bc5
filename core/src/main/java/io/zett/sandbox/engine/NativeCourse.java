package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.process.Ending;
import java.util.List;
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
  public SandboxResult run(CommandRun run) {
    Prepared ahead = warm.take();
    SandboxResult early = ahead == null ? null : runAhead(run, ahead);
    if (early != null) {
      run.startedAhead();
      return early;
    }
    run.throwIfCanceled();
    Prepared again = asBefore();
    early = again == null ? null : runAhead(run, again);
    if (early != null) {
      return early;
    }
    run.throwIfCanceled();
    for (int attempt = again == null ? 1 : 2; ; attempt++) {
      try (Prepared prepared = Preparation.of(opened)) {
        Ending ending = run.await(prepared.run(plan, streams, run::supervise));
        if (attempt == MOST_ATTEMPTS || !isWorthAnother(prepared, ending)) {
          return Results.of(plan, streams, prepared, ending, run.reason());
        }
      }
      run.throwIfCanceled();
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

  /** Null when that sandbox has ended before it was given anything, or is worth another. */
  private @Nullable SandboxResult runAhead(CommandRun run, Prepared ahead) {
    boolean isOver = false;
    try {
      Boolean given = run.await(ahead.give(plan, streams, run::supervise));
      if (given != null && !given) {
        return null;
      }
      Ending ending = run.await(ahead.ending());
      isOver = true;
      return isWorthAnother(ahead, ending)
          ? null
          : Results.of(plan, streams, ahead, ending, run.reason());
    } finally {
      if (isOver) {
        ahead.close();
      } else {
        WarmPool.endAndClose(ahead);
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
