package io.zett.sandbox.portable;

import io.zett.sandbox.Limit;
import io.zett.sandbox.TerminalSize;
import io.zett.sandbox.process.Capture;
import io.zett.sandbox.process.EndReason;
import io.zett.sandbox.process.Followed;
import io.zett.sandbox.process.Sink;
import io.zett.sandbox.process.StreamPump;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Follows one command from its start until all of it that can be found is dead and its output is
 * read. {@link #begin} starts it, {@link #manner} tells why it ends, and {@link #finish} sees to
 * the end; the last two are for one thread. Thread-safe otherwise.
 */
public final class Following implements Followed {
  private static final long FIRST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final Process process;
  private final Tree tree;
  private final Signalling signalling;
  private final Budget budget;
  private final Beginning beginning;
  private final CompletableFuture<Finish.How> manner = new CompletableFuture<>();
  private final List<StreamPump> pumps = new ArrayList<>();
  private final Feeding feeding;
  private final long started = System.nanoTime();
  private volatile long begun;
  private volatile long peakBytes;

  /**
   * What a command is given and where it writes.
   *
   * @param input what it reads; null for nothing
   * @param out where its output goes
   * @param err where its error output goes; null when that goes into its output
   */
  public record Streams(@Nullable InputStream input, Sink out, @Nullable Sink err) {}

  private Following(
      Process process, StartPlan plan, Beginning beginning, Budget budget, Streams streams) {
    this.process = process;
    this.beginning = beginning;
    this.budget = budget;
    PosixTools tools = plan.tools();
    tree = new Tree(process.toHandle(), tools == null ? null : tools.table(), plan.leads());
    signalling = new Signalling(process.toHandle(), plan.tools() != null);
    if (!plan.announces()) {
      beginning.begun().complete(true);
    }
    Sink errors = streams.err() == null ? new Capture(0) : streams.err();
    pumps.add(StreamPump.start(beginning.output(process.getInputStream()), streams.out()));
    pumps.add(StreamPump.start(beginning.errors(process.getErrorStream()), errors));
    feeding =
        Feeding.start(
            streams.input(),
            process.getOutputStream(),
            cause -> manner.complete(new Finish.InputFailed(cause)));
  }

  /**
   * Starts a command.
   *
   * @param timers what a deadline waits on
   * @throws IOException if the first program cannot be started
   */
  public static Following begin(
      StartPlan plan, Budget budget, Streams streams, Optional<Duration> timeout, Timers timers)
      throws IOException {
    Beginning beginning = new Beginning();
    Process process = plan.start(beginning.token()).begin();
    try {
      Following following = new Following(process, plan, beginning, budget, streams);
      following.watch(timeout, timers);
      return following;
    } catch (RuntimeException | OutOfMemoryError e) {
      process.destroyForcibly();
      throw e;
    }
  }

  private void watch(Optional<Duration> timeout, Timers timers) {
    beginning
        .begun()
        .thenAccept(
            came -> {
              begun = came ? System.nanoTime() : 0;
              if (came) {
                timeout.ifPresent(time -> end(time, timers));
              }
            });
    var _ =
        process.onExit().thenAccept(dead -> manner.complete(new Finish.Exited(dead.exitValue())));
    Thread looking =
        Thread.ofPlatform()
            .name("zett-sandbox-watch")
            .daemon()
            .inheritInheritableThreadLocals(false)
            .unstarted(this::look);
    looking.setContextClassLoader(null);
    looking.start();
  }

  private void end(Duration time, Timers timers) {
    Runnable undo = timers.after(time, () -> manner.complete(new Finish.TimedOut()));
    var _ = manner.thenRun(undo);
  }

  /** Again and again, sooner in the beginning: what detaches early must be seen before. */
  private void look() {
    long pause = FIRST_LOOK_NANOS;
    while (!manner.isDone()) {
      try {
        tree.look(budget.countsMemory());
        peakBytes = Math.max(peakBytes, tree.residentBytes());
        Limit exceeded = budget.exceeded(tree);
        if (exceeded != null) {
          manner.complete(new Finish.Exceeded(exceeded));
        }
      } catch (IOException e) {
        manner.complete(new Finish.Blind(e));
      }
      await(pause);
      pause = Math.min(2 * pause, LOOK_NANOS);
    }
  }

  private void await(long nanos) {
    try {
      manner.get(nanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      // Time for the next look.
    } catch (InterruptedException | ExecutionException e) {
      // Nobody interrupts this thread, and the future never fails.
    }
  }

  /** Completed with the first reason for the command's end. */
  public CompletableFuture<Finish.How> manner() {
    return manner;
  }

  /** Ends all of the command once there is a reason, and waits for its output. */
  public Finish finish() {
    Finish.How how = manner.join();
    long ended = System.nanoTime();
    tree.end();
    Uninterrupted.waitFor(process);
    feeding.stop();
    boolean givesUp = how instanceof Finish.Ended;
    for (StreamPump pump : pumps) {
      Uninterrupted.call(
          () -> {
            pump.finish(PATIENCE_NANOS, givesUp);
            return true;
          });
    }
    beginning.begun().complete(false);
    if (how instanceof Finish.Exited && !beginning.begun().join()) {
      how = new Finish.NotBegun(beginning.words());
    }
    long start = begun == 0 ? ended : Math.min(begun, ended - 1); // The line may be read later.
    return new Finish(
        how, begun == 0 ? 0 : ended - start, start - started, tree.cpuNanos(), peakBytes);
  }

  @Override
  public void end(EndReason reason) {
    manner.complete(new Finish.Ended(reason));
  }

  @Override
  public void signal(int signal, boolean everyProcess) {
    beginning
        .begun()
        .thenAccept(
            came -> {
              if (came) {
                signalling.send(signal); // What it leaves is killed once it has ended.
              }
            });
  }

  /** There are no terminals here. */
  @Override
  public void resize(TerminalSize size) {}
}
