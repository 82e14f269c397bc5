package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.host.HostView;
import io.zett.sandbox.limits.LimitGroup;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.process.EndReason;
import io.zett.sandbox.process.Ending;
import io.zett.sandbox.process.Job;
import io.zett.sandbox.process.Order;
import io.zett.sandbox.process.Rlimit;
import io.zett.sandbox.process.SetupFailure;
import io.zett.sandbox.process.StartBlock;
import io.zett.sandbox.process.Supervisor;
import io.zett.sandbox.workspace.Placeholder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A sandbox that is planned and whose limits stand, for one command; closed when that has ended.
 *
 * <p>It is built for a command at once, or ahead of it: then it waits, finished and verified.
 */
final class Prepared implements AutoCloseable {
  private final Opened opened;
  private final Plan plan;
  private final LimitGroup limits;
  private final List<Placeholder> placeholders;
  private final @Nullable VanishingPaths vanishing;
  private final LimitWatch watch;
  private final DeniedFileWatch denied;
  private final AtomicBoolean tookOver = new AtomicBoolean();
  private final AtomicBoolean isWatched = new AtomicBoolean();
  private @Nullable Order order;
  private volatile boolean hasCommand;
  private volatile boolean isVerified;
  private volatile @Nullable Supervisor supervisor;
  private volatile @Nullable SandboxSetupException rejected;

  Prepared(
      Opened opened,
      Plan plan,
      LimitGroup limits,
      Collection<Placeholder> placeholders,
      @Nullable VanishingPaths vanishing) {
    this.opened = opened;
    this.plan = plan;
    this.limits = limits;
    this.placeholders = new ArrayList<>(placeholders);
    this.vanishing = vanishing;
    this.watch = new LimitWatch(opened.loop(), limits, this::limitExceeded);
    this.denied =
        new DeniedFileWatch(
            opened.posix(),
            () -> Shared.get().notices(opened.posix()),
            plan.launch().watch(),
            this::deniedFileReplaced);
  }

  void order(Order made) {
    order = made;
  }

  LimitGroup limits() {
    return limits;
  }

  /** The limit that the command was ended for from here; null for none. */
  LimitWatch watch() {
    return watch;
  }

  /** What was denied and was replaced meanwhile; null for nothing. */
  @Nullable UnixPath violated() {
    return denied.violated();
  }

  /** Whether a path is denied by ending the command when something comes to be there. */
  boolean mustBeAbsent(UnixPath path) {
    return denied.mustBeAbsent(path);
  }

  /** Why it is not known whether something was replaced; null when it is known. */
  @Nullable SandboxSetupException blind() {
    return denied.failure();
  }

  /** Why the finished sandbox was not trusted; null when it was. */
  @Nullable SandboxSetupException rejected() {
    return rejected;
  }

  /**
   * The look at the finished sandbox, before the command may start.
   *
   * @param check throws a {@link SandboxSetupException} when the sandbox is not what was planned
   */
  void verified(int pid, Runnable check) {
    try {
      denied.begin();
      check.run();
      limits.ready(pid, opened.home());
    } catch (SandboxSetupException e) {
      rejected = e;
      throw new SetupFailure(e.step(), 0, String.valueOf(e.getMessage()));
    }
    takeOver();
    isVerified = true;
    startWatch();
  }

  /** Once there is something to watch, and something that it runs in. */
  private void startWatch() {
    if (hasCommand && isVerified && !isWatched.getAndSet(true)) {
      watch.start();
    }
  }

  /** Builds it and runs a command in it. */
  CompletableFuture<Ending> run(
      CommandPlan command, CommandStreams streams, Consumer<Supervisor> told) {
    hasCommand = true;
    Supervisor started;
    try {
      started = Supervisor.start(opened.loop(), opened.posix(), complete(), job(command, streams));
    } catch (RejectedExecutionException e) {
      throw new SandboxSetupException(
          "starting the command", null, e.getMessage() + "; open another session", e);
    }
    supervisor = started;
    told.accept(started);
    return started.ending();
  }

  /** All of it is dead; on the loop's thread, where the watch can be stopped without waiting. */
  void ended() {
    watch.stop();
  }

  /**
   * Builds it, to be given a command meanwhile or afterwards.
   *
   * @param whenStanding called on the loop's thread once it stands and was given nothing
   */
  void build(Runnable whenStanding) {
    supervisor = Supervisor.prepare(opened.loop(), opened.posix(), complete(), whenStanding);
  }

  /**
   * Builds it, to wait for a command.
   *
   * @return true once it stands; false when it has ended instead
   */
  CompletableFuture<Boolean> buildAhead() {
    CompletableFuture<Boolean> stands = new CompletableFuture<>();
    build(() -> stands.complete(true));
    ending().whenComplete((_, _) -> stands.complete(false));
    return stands;
  }

  /**
   * Has it run a command, if it stands still, or once it stands.
   *
   * @return true when the command is its own now; false when the sandbox had ended before, or could
   *     not be asked, and nothing was touched. In any case {@link #ending} tells when all is over.
   */
  CompletableFuture<Boolean> give(
      CommandPlan command, CommandStreams streams, Consumer<Supervisor> told) {
    Supervisor waiting = Objects.requireNonNull(supervisor);
    hasCommand = true;
    told.accept(waiting);
    startWatch();
    // Nothing hangs on these futures but their waiters: what does could be lost for lack of memory.
    CompletableFuture<Boolean> taken = new CompletableFuture<>();
    waiting.give(
        job(command, streams),
        () -> taken.complete(true),
        () -> {
          taken.complete(false);
          waiting.end(EndReason.CLOSED);
        });
    return taken;
  }

  /** Whether a sandbox that is planned now would be this one. */
  boolean isAsPlannedFor(HostView view) {
    return plan.isFrom(view);
  }

  /** Whether anything of it was started. */
  boolean isBuilt() {
    return supervisor != null;
  }

  /** Told once all of it is dead. */
  CompletableFuture<Ending> ending() {
    return Objects.requireNonNull(supervisor).ending();
  }

  /** Ends it, whatever it does. */
  void end() {
    end(EndReason.CLOSED);
  }

  private Order complete() {
    if (order == null) {
      throw new IllegalStateException("not prepared");
    }
    return order;
  }

  private Job job(CommandPlan command, CommandStreams streams) {
    List<Rlimit> rlimits = new ArrayList<>();
    limits
        .resourceLimits()
        .forEach(
            (resource, limit) -> rlimits.add(new Rlimit(resource, limit.soft(), limit.hard())));
    List<UnixPath> writable = SecondWall.isWanted() ? plan.launch().onlyWritable() : null;
    return new Job(
        new StartBlock(
            command.arguments(),
            command.environment(),
            command.directory().bytes(),
            rlimits,
            writable == null ? null : writable.stream().map(UnixPath::bytes).toList()),
        streams.input(),
        streams.out(),
        streams.err(),
        streams.terminal(),
        command.timeout().orElse(null));
  }

  private void limitExceeded() {
    end(EndReason.LIMIT);
  }

  private void deniedFileReplaced() {
    end(EndReason.VIOLATED);
  }

  private void end(EndReason reason) {
    Supervisor running = supervisor;
    if (running != null) {
      running.end(reason);
    } else {
      // The loop was faster than the thread that started it; it looks again when it is told.
      opened.loop().execute(() -> end(reason));
    }
  }

  /**
   * As soon as the mounts stand, so that other sessions hold such a file as well; else at the end.
   */
  private void takeOver() {
    if (vanishing != null && !tookOver.getAndSet(true)) {
      List<Placeholder> taken = vanishing.takeOver();
      synchronized (placeholders) {
        placeholders.addAll(taken);
      }
    }
  }

  @Override
  public void close() {
    watch.stop();
    denied.stop();
    limits.close();
    takeOver();
    List<Placeholder> held;
    synchronized (placeholders) {
      held = List.copyOf(placeholders);
    }
    held.forEach(Placeholder::close);
  }
}
