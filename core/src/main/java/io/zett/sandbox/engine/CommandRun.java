package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxCanceledException;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.TerminalSize;
import io.zett.sandbox.flight.CommandFlight;
import io.zett.sandbox.flight.FlightLog;
import io.zett.sandbox.process.EndReason;
import io.zett.sandbox.process.Followed;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
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

  private static final String INTERRUPTED = "the waiting thread was interrupted";

  private final Engine engine;
  private final Course course;
  private final CommandGate gate;
  private final CommandFlight flight;
  private final CompletableFuture<Void> turn;
  private final CountDownLatch end = new CountDownLatch(1);
  private final List<Consumer<Followed>> unsent = new ArrayList<>();
  private @Nullable String canceled;
  private @Nullable Followed supervisor;

  CommandRun(Engine engine, Course course, CommandGate gate) {
    this.engine = engine;
    this.course = course;
    this.gate = gate;
    this.flight = FlightLog.command(engine.number(), engine.report().backend(), course.command());
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
   * Waits for its turn, and has it started. Instead of {@link #execute}, for who calls {@link
   * #result} on another thread; not if this throws what that would.
   */
  void launch() {
    try {
      if (Thread.currentThread().isInterrupted()) {
        cancel(INTERRUPTED);
      }
      await(turn);
      flight.admitted();
      throwIfCanceled();
      course.begin(this);
    } catch (Throwable failure) {
      throw abandoned(failure);
    }
  }

  /** Waits until a launched command has ended. Throws what {@link #execute} does. */
  SandboxResult result() {
    SandboxResult result;
    try {
      result = course.finish(this);
      flight.ended(result);
    } catch (Throwable failure) {
      throw abandoned(failure);
    }
    leave();
    return course.command().isChecked() ? result.check() : result;
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

  /**
   * Ends the command with its whole tree, or keeps it from starting; harmless when it has ended.
   */
  void cancel(String reason) {
    Followed running;
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

  private void send(Consumer<Followed> signal) {
    Followed running;
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

  /**
   * What follows the command may have begun before we hear of it: a cancellation meanwhile is
   * caught up.
   */
  void supervise(Followed started) {
    String reason;
    List<Consumer<Followed>> early;
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

  synchronized String reason() {
    return canceled == null ? CLOSED : canceled;
  }

  synchronized void throwIfCanceled() {
    if (canceled != null) {
      throw new SandboxCanceledException(canceled, null);
    }
  }

  /** Its sandbox had been started before it came. */
  void startedAhead() {
    flight.startedAhead();
  }

  /** An interrupt ends the command; the wait goes on until it is dead, and keeps the flag. */
  <T> @Nullable T await(CompletableFuture<T> future) {
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
          throw course.failure(Objects.requireNonNullElse(e.getCause(), e));
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
