package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.backend.HostWatch;
import io.zett.sandbox.limits.LimitGroup;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.process.EndReason;
import io.zett.sandbox.process.Ending;
import io.zett.sandbox.process.Order;
import io.zett.sandbox.process.SetupFailure;
import io.zett.sandbox.process.Supervisor;
import io.zett.sandbox.workspace.Placeholder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A command whose sandbox is planned and whose limits stand; closed when the command has ended. */
final class Prepared implements AutoCloseable {
  private final Opened opened;
  private final LimitGroup limits;
  private final List<Placeholder> placeholders;
  private final @Nullable VanishingPaths vanishing;
  private final LimitWatch watch;
  private final DeniedFileWatch denied;
  private final AtomicBoolean tookOver = new AtomicBoolean();
  private @Nullable Order order;
  private volatile @Nullable Supervisor supervisor;
  private volatile @Nullable SandboxSetupException rejected;

  Prepared(
      Opened opened,
      LimitGroup limits,
      Collection<Placeholder> placeholders,
      @Nullable VanishingPaths vanishing,
      HostWatch watched) {
    this.opened = opened;
    this.limits = limits;
    this.placeholders = new ArrayList<>(placeholders);
    this.vanishing = vanishing;
    this.watch = new LimitWatch(opened.loop(), limits, this::limitExceeded);
    this.denied =
        new DeniedFileWatch(
            opened.posix(), Shared.get()::notices, watched, this::deniedFileReplaced);
  }

  void order(Order complete) {
    order = complete;
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
    watch.start();
  }

  /** Starts it. */
  CompletableFuture<Ending> supervise(Consumer<Supervisor> told) {
    Order complete = order;
    if (complete == null) {
      throw new IllegalStateException("not prepared");
    }
    Supervisor started = Supervisor.start(opened.loop(), opened.posix(), complete);
    supervisor = started;
    told.accept(started);
    return started.ending();
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
