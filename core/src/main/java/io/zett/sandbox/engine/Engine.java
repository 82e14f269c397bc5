package io.zett.sandbox.engine;

import io.zett.sandbox.PathExplanation;
import io.zett.sandbox.ResourceReport;
import io.zett.sandbox.SandboxClosedException;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.flight.FlightLog;
import io.zett.sandbox.flight.OpeningFlight;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One open sandbox: the one entry through which the library's faces reach the machinery.
 * Thread-safe.
 */
public final class Engine {
  private static final String ASYNC = "zett-run-async";

  private static final AtomicLong NUMBERS = new AtomicLong();

  private final long number;
  private final Ground ground;
  private final CommandGate gate;
  private final Set<CommandRun> running = new LinkedHashSet<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private boolean closing;

  private Engine(long number, Ground ground) {
    this.number = number;
    this.ground = ground;
    this.gate = new CommandGate(ground.policy().maxConcurrent());
  }

  /**
   * Opens a sandbox; when it fails, nothing is left behind.
   *
   * @param workspace an existing directory; null for a private one that closing deletes
   * @throws io.zett.sandbox.SandboxUnavailableException if no backend can be used
   * @throws io.zett.sandbox.SandboxSetupException if this sandbox cannot be built
   * @throws IllegalArgumentException if the policy names what does not exist, or too much
   */
  public static Engine open(SandboxPolicy policy, @Nullable Path workspace) {
    return openOn(workspace, () -> Grounds.open(policy, workspace));
  }

  /** The same on Linux, with a backend that is chosen elsewhere. */
  static Engine open(
      SandboxPolicy policy, @Nullable Path workspace, Supplier<BackendChoice> choice) {
    return openOn(workspace, () -> NativeGround.open(policy, workspace, choice.get()));
  }

  /** The same on a ground that is made elsewhere. */
  static Engine openOn(@Nullable Path workspace, Supplier<Ground> maker) {
    long number = NUMBERS.incrementAndGet();
    OpeningFlight flight = FlightLog.opening(number);
    Ground ground;
    try {
      ground = maker.get();
    } catch (RuntimeException e) {
      flight.failed(e);
      throw e;
    }
    Engine engine = new Engine(number, ground);
    OpenEngines.get().add(engine);
    ResourceReport report = ground.report();
    if (!report.isolated()) {
      Unisolated.announce(report.backend());
    }
    ground.begin();
    flight.opened(report, workspace == null);
    return engine;
  }

  /** What a sandbox of this policy would enforce here. */
  public static ResourceReport report(SandboxPolicy policy) {
    return Grounds.report(policy);
  }

  /** The real absolute path of the workspace. */
  public Path workspace() {
    return ground.workspace();
  }

  /** The files of the workspace. */
  public WorkspaceFiles files() {
    return ground.files();
  }

  /** Its number among those of this JVM, from 1; one that failed to open has had its own. */
  long number() {
    return number;
  }

  /** What this sandbox enforces. */
  public ResourceReport report() {
    return ground.report();
  }

  /** Whether commands can be run right now. */
  public boolean isOpen() {
    synchronized (running) {
      return !closing;
    }
  }

  /**
   * What a command would meet at paths if it started now.
   *
   * @param paths absolute
   */
  public List<PathExplanation> explain(List<Path> paths) {
    if (!isOpen()) {
      throw new SandboxClosedException("the sandbox is closed");
    }
    return ground.explain(paths);
  }

  /** Runs a command and waits for its end. */
  public SandboxResult run(SandboxCommand command) {
    CommandRun run = begin(command, captured(command));
    return run.execute();
  }

  /** Runs a command; the future is completed by a thread of its own, never the engine's. */
  public CompletableFuture<SandboxResult> runAsync(SandboxCommand command) {
    CommandRun run;
    try {
      run = begin(command, captured(command));
    } catch (SandboxClosedException e) {
      return CompletableFuture.failedFuture(e);
    }
    CompletableFuture<SandboxResult> future = new CompletableFuture<>();
    // However the future is completed: its command ends. Ours comes after the end, and finds none.
    future.whenComplete((_, _) -> run.cancel("its future was completed"));
    ground
        .virtualThreads()
        .start(
            ASYNC, () -> launch(run, future), e -> future.completeExceptionally(run.unstarted(e)));
    return future;
  }

  /**
   * What waits for the end is a thread of its own, since the stack of the one that has started a
   * command takes nearly twice as much for as long as it runs.
   */
  private void launch(CommandRun run, CompletableFuture<SandboxResult> future) {
    try {
      run.launch();
    } catch (Throwable failure) {
      future.completeExceptionally(failure);
      return;
    }
    try {
      ground.virtualThreads().start(ASYNC, () -> settle(run, future));
    } catch (OutOfMemoryError e) {
      settle(run, future);
    }
  }

  private static void settle(CommandRun run, CompletableFuture<SandboxResult> future) {
    try {
      future.complete(run.result());
    } catch (Throwable failure) {
      future.completeExceptionally(failure);
    }
  }

  /** Starts a command whose streams stay open to the caller. */
  public LiveCommand start(SandboxCommand command) {
    return LiveCommand.start(this, command);
  }

  private CommandStreams captured(SandboxCommand command) {
    return CommandStreams.captured(command, ground::input);
  }

  /** What its commands run on. */
  Ground ground() {
    return ground;
  }

  /** A command of this sandbox that takes its place in the queue now. */
  CommandRun begin(SandboxCommand command, CommandStreams streams) {
    return begin(ground.course(command, ground.policy().timeout(), streams));
  }

  /** The same for one that the sandbox's time limit is not for. */
  CommandRun beginLive(SandboxCommand command, CommandStreams streams) {
    return begin(ground.course(command, Optional.empty(), streams));
  }

  private CommandRun begin(Course course) {
    synchronized (running) {
      if (closing) {
        throw new SandboxClosedException("the sandbox is closed");
      }
      CommandRun run = new CommandRun(this, course, gate);
      running.add(run);
      return run;
    }
  }

  /** The sandboxes that are kept started ahead, on Linux. */
  WarmPool warm() {
    return ((NativeGround) ground).warm();
  }

  /** The command's tree is dead and its result is known. */
  void ended(CommandRun run) {
    synchronized (running) {
      running.remove(run);
    }
  }

  /** Ends what runs and waits now, without waiting for it. */
  void cancelAll() {
    List<CommandRun> left;
    synchronized (running) {
      left = List.copyOf(running);
    }
    left.forEach(run -> run.cancel(CommandRun.CLOSED));
  }

  /**
   * Ends every command with its tree, waits until all are dead, and removes what opening made.
   * Callers that come while it closes wait until it has.
   */
  public void close() {
    List<CommandRun> left;
    boolean first;
    synchronized (running) {
      first = !closing;
      closing = true;
      left = List.copyOf(running);
    }
    if (!first) {
      Uninterruptibly.await(closed);
      return;
    }
    try {
      cancelAll();
      left.forEach(CommandRun::awaitEnd);
      ground.close();
    } finally {
      OpenEngines.get().remove(this);
      closed.countDown();
    }
  }
}
