package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxCanceledException;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.TerminalSize;
import io.zett.sandbox.flight.CommandFlight;
import io.zett.sandbox.flight.FlightLog;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.process.EndReason;
import io.zett.sandbox.process.Ending;
import io.zett.sandbox.process.Supervisor;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One command from its place in the queue to its result, on the thread that calls {@link #execute},
 * or on two, one after the other.
 *
 * <p>Thread-safe: {@link #cancel} may come at any time from any thread; the first reason counts.
 */
final class CommandRun {
  /** The reason that {@link Engine#close} gives. */
  static final String CLOSED = "the sandbox was closed";

  private static final long PAUSE_NANOS = 10_000_000;

  /** So often a sandbox is built when the disk changes under it each time. */
  private static final int MOST_ATTEMPTS = 3;

  private static final String INTERRUPTED = "the waiting thread was interrupted";

  private final Engine engine;
  private final Opened opened;
  private final CommandPlan plan;
  private final CommandStreams streams;
  private final CommandGate gate;
  private final WarmPool warm;
  private final CommandFlight flight;
  private final CompletableFuture<Void> turn;
  private final CountDownLatch end = new CountDownLatch(1);
  private final List<Consumer<Supervisor>> unsent = new ArrayList<>();
  private Source source = Source.WARM;
  private int built;
  private @Nullable Attempt attempt;
  private @Nullable String canceled;
  private @Nullable Supervisor supervisor;

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

  CommandRun(
      Engine engine,
      Opened opened,
      CommandPlan plan,
      CommandStreams streams,
      CommandGate gate,
      WarmPool warm) {
    this.engine = engine;
    this.opened = opened;
    this.plan = plan;
    this.streams = streams;
    this.gate = gate;
    this.warm = warm;
    this.flight = FlightLog.command(engine.number(), opened.report().backend(), plan.command());
    this.turn = gate.enter();
  }

  /**
   * Runs the command; called once.
   *
   * @throws SandboxCanceledException if it was canceled before it ended by itself
   * @throws io.zett.sandbox.SandboxSetupException if its sandbox could not be built
   * @throws io.zett.sandbox.SandboxCommandException if it is checked and did not succeed
   */
  SandboxResult execute() {
    launch();
    return result();
  }

  /**
   * Waits for its turn, and gives it to a sandbox. Instead of {@link #execute}, for who calls
   * {@link #result} on another thread; not if this throws what that would.
   */
  void launch() {
    try {
      if (Thread.currentThread().isInterrupted()) {
        cancel(INTERRUPTED);
      }
      await(turn);
      flight.admitted();
      attempt = next();
    } catch (Throwable failure) {
      throw abandoned(failure);
    }
  }

  /** Waits until a launched command has ended. Throws what {@link #execute} does. */
  SandboxResult result() {
    SandboxResult result;
    try {
      result = finish(Objects.requireNonNull(attempt));
      while (result == null) {
        attempt = next();
        result = finish(attempt);
      }
      flight.ended(result);
    } catch (Throwable failure) {
      throw abandoned(failure);
    }
    leave();
    return plan.command().isChecked() ? result.check() : result;
  }

  /** Gives up its place, whatever it has come to; nobody waits for it any more. */
  void leave() {
    synchronized (this) {
      supervisor = null; // whoever cancels from now on comes too late
    }
    try {
      gate.leave(turn);
    } finally {
      engine.ended(this);
      end.countDown();
    }
  }

  /** Gives up its place instead of {@link #execute}, for which no thread could be had. */
  SandboxSetupException unstarted(OutOfMemoryError cause) {
    try {
      SandboxSetupException told = Shortage.of("starting the command", cause);
      flight.failed(told);
      return told;
    } finally {
      leave();
    }
  }

  /** Gives up its place, and returns what to throw for a failure. */
  private RuntimeException abandoned(Throwable failure) {
    try {
      Throwable told =
          failure instanceof OutOfMemoryError e ? Shortage.of("following the command", e) : failure;
      flight.failed(told);
      return switch (told) {
        case RuntimeException unchecked -> unchecked;
        case Error error -> throw error;
        default -> new IllegalStateException(told); // Nothing above declares one.
      };
    } finally {
      leave();
    }
  }

  /** A sandbox that has the command, be it that it is built only now. */
  private Attempt next() {
    throwIfCanceled();
    if (source == Source.WARM) {
      source = Source.AS_BEFORE;
      Attempt ahead = give(warm.take(), true);
      if (ahead != null) {
        return ahead;
      }
      throwIfCanceled();
    }
    if (source == Source.AS_BEFORE) {
      source = Source.ANEW;
      Prepared again = asBefore();
      built = again == null ? 0 : 1;
      Attempt given = give(again, false);
      if (given != null) {
        return given;
      }
      throwIfCanceled();
    }
    built++;
    return buildAnew(built == MOST_ATTEMPTS);
  }

  private Attempt buildAnew(boolean last) {
    Prepared prepared = Preparation.of(opened);
    boolean done = false;
    try {
      prepared.run(plan, streams, this::supervise);
      done = true;
      return new Attempt(prepared, null, false, last);
    } finally {
      if (!done) {
        prepared.close();
      }
    }
  }

  /** Null when there is none. */
  private @Nullable Attempt give(@Nullable Prepared ahead, boolean warmed) {
    if (ahead == null) {
      return null;
    }
    CompletableFuture<Boolean> taken = null;
    try {
      taken = ahead.give(plan, streams, this::supervise);
      return new Attempt(ahead, taken, warmed, false);
    } finally {
      if (taken == null) {
        WarmPool.endAndClose(ahead);
      }
    }
  }

  /** Null when it had ended before it was given anything, or is worth another one. */
  private @Nullable SandboxResult finish(Attempt attempt) {
    Prepared sandbox = attempt.sandbox();
    boolean isOver = false;
    try {
      Ending ending = await(sandbox.ending());
      isOver = true;
      // Asked only now: to be woken for it while the command runs costs more than all else here.
      boolean untouched = attempt.taken() != null && Boolean.FALSE.equals(await(attempt.taken()));
      if (untouched || (!attempt.last() && isWorthAnother(sandbox, ending))) {
        return null;
      }
      if (attempt.warmed()) {
        flight.startedAhead();
      }
      return Results.of(plan, streams, sandbox, ending, reason());
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

  /**
   * Ends the command with its whole tree, or keeps it from starting; harmless when it has ended.
   */
  void cancel(String reason) {
    Supervisor running;
    synchronized (this) {
      if (canceled == null) {
        canceled = reason;
      }
      running = supervisor;
    }
    turn.cancel(false);
    if (running != null) {
      running.end(reason.equals(CLOSED) ? EndReason.CLOSED : EndReason.CANCELED);
    }
  }

  /** Passes a signal on to the program itself, as soon as it runs. */
  void signal(int number) {
    send(running -> running.signal(number, false));
  }

  /** The same for every process of the command. */
  void signalAll(int number) {
    send(running -> running.signal(number, true));
  }

  /** Changes the size of the command's terminal. */
  void resize(TerminalSize size) {
    send(running -> running.resize(size));
  }

  private void send(Consumer<Supervisor> signal) {
    Supervisor running;
    synchronized (this) {
      running = supervisor;
      if (running == null) {
        unsent.add(signal);
      }
    }
    if (running != null) {
      signal.accept(running);
    }
  }

  /** Whether the command's tree is dead and everything of it is removed. */
  boolean hasEnded() {
    return end.getCount() == 0;
  }

  /** Waits until the command's tree is dead and everything of it is removed. */
  void awaitEnd() {
    Uninterruptibly.await(end);
  }

  /** The supervisor may have begun before we hear of it: a cancellation meanwhile is caught up. */
  private void supervise(Supervisor started) {
    String reason;
    List<Consumer<Supervisor>> early;
    synchronized (this) {
      supervisor = started;
      reason = canceled;
      early = List.copyOf(unsent);
    }
    early.forEach(signal -> signal.accept(started));
    if (reason != null) {
      started.end(EndReason.CANCELED);
    }
  }

  private synchronized String reason() {
    return canceled == null ? CLOSED : canceled;
  }

  private synchronized void throwIfCanceled() {
    if (canceled != null) {
      throw new SandboxCanceledException(canceled, null);
    }
  }

  /** The command is dead; what the kernel refused us meanwhile is no defect of ours. */
  private static RuntimeException failure(ExecutionException told) {
    return switch (told.getCause()) {
      case PosixException cause ->
          new SandboxSetupException(
              "following the command", null, Shortage.explained(cause) + "; it was ended", cause);
      case OutOfMemoryError cause -> Shortage.of("following the command, which was ended", cause);
      case null, default -> new IllegalStateException("the engine failed", told.getCause());
    };
  }

  /** An interrupt ends the command; the wait goes on until it is dead, and keeps the flag. */
  private <T> @Nullable T await(CompletableFuture<T> future) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return future.get();
        } catch (InterruptedException e) {
          interrupted = true;
          cancel(INTERRUPTED);
        } catch (OutOfMemoryError e) {
          LockSupport.parkNanos(PAUSE_NANOS); // To wait takes some, too, and it must be waited for.
        } catch (CancellationException e) {
          return null;
        } catch (ExecutionException e) {
          throw failure(e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
