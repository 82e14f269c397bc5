package io.zett.sandbox.process;

import io.zett.sandbox.TerminalSize;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The states of one command; see {@link Supervisor}. On the loop's thread. */
final class Run implements EventLoop.Guest, Parts.Owner {

  /** How far it has come. */
  private enum Phase {
    STARTING,
    VERIFYING,
    WAITING,
    SENDING,
    RUNNING,
    DONE
  }

  private final EventLoop loop;
  private final Posix posix;
  private final Order order;
  private final CompletableFuture<Ending> ending;
  private final Parts parts;
  private final Account account = new Account();
  private final List<Runnable> whenRunning = new ArrayList<>();
  private final Runnable whenWaiting;
  private final Runnable accept = this::accept; // made while there is memory
  private @Nullable Job job;
  private byte[] block = {};
  private Phase phase = Phase.STARTING;
  private boolean killed;
  private @Nullable Timer deadline; // of the set-up, then of the command
  private @Nullable Throwable defect;

  /**
   * A run.
   *
   * @param job what to run; null when that is told later
   * @param whenWaiting called once the sandbox stands and has nothing to run yet
   */
  Run(
      EventLoop loop,
      Posix posix,
      Order order,
      @Nullable Job job,
      Runnable whenWaiting,
      CompletableFuture<Ending> ending) {
    this.loop = loop;
    this.posix = posix;
    this.order = order;
    this.job = job;
    this.whenWaiting = whenWaiting;
    this.ending = ending;
    parts = new Parts(loop, posix, order, this);
  }

  // ---- up to the token

  void start() {
    account.spawning();
    boolean open = loop.attach(this);
    guard(
        () -> {
          try {
            if (open) {
              block = job == null ? block : job.encoded();
              parts.open(job);
              deadline = parts.schedule(order.setupDeadline(), this::setupDeadlinePassed);
            } else {
              account.blame(new Ending.Ended(EndReason.CLOSED));
            }
          } finally {
            Inherited.closeOwned(order.inherited(), posix);
          }
          finishIfOver();
        });
  }

  @Override
  public void received(Control.Message message) {
    switch (message.type()) {
      case Control.READY -> ready(message.sender());
      case Control.FAILED -> {
        account.blame(
            new Ending.SetupFailed(Account.failure(message, job == null ? null : job.block())));
        kill();
      }
      case Control.EXEC_FAILED -> account.execFailed((int) message.a());
      case Control.TERMINAL_OPEN -> parts.connectTerminal(Objects.requireNonNull(job), message);
      case Control.EXIT -> exited((int) message.a());
      case Control.USAGE -> account.used(message.a(), message.b(), message.c());
      default -> {} // STARTED is of no consequence
    }
  }

  private void ready(int sender) {
    if (phase != Phase.STARTING) {
      return;
    }
    phase = Phase.VERIFYING;
    int pid = parts.findInit(sender);
    if (killed) {
      parts.killInit();
    } else if (pid != 0) { // else it is dead again: the end-of-file is on its way
      verify(pid);
    }
  }

  private void verify(int pid) {
    Verifier verifier = order.verifier();
    if (verifier.isCheap()) {
      verifier.verify(pid);
      release();
      return;
    }
    loop.virtualThreads()
        .start(
            "zett-sandbox-verifier",
            () -> {
              Runnable verdict = this::release;
              try {
                verifier.verify(pid);
              } catch (Throwable e) {
                verdict = () -> rethrow(e);
              }
              tell(verdict);
            },
            e -> tell(() -> rethrow(e)));
  }

  private void tell(Runnable verdict) {
    loop.offer(() -> guard(verdict));
  }

  private static <T extends Throwable> void rethrow(Throwable e) throws T {
    throw (T) e;
  }

  private void release() {
    if (phase != Phase.VERIFYING || killed) {
      return;
    }
    if (job != null) {
      sendToken();
    } else {
      phase = Phase.WAITING;
      cancelDeadline();
      whenWaiting.run();
    }
  }

  /**
   * Has a sandbox run something that waits for it, or as soon as it would.
   *
   * @return false if it is not there any more; then nothing of the job has been touched
   */
  boolean give(Job given) {
    if (phase.compareTo(Phase.WAITING) > 0 || killed || isHungUp()) {
      return false;
    }
    job = given;
    guard(accept);
    return true;
  }

  private boolean isHungUp() {
    try {
      return parts.isHungUp();
    } catch (OutOfMemoryError e) {
      return true; // Nothing is touched yet, so it is told as if it were.
    }
  }

  private void accept() {
    Job given = Objects.requireNonNull(job);
    if (phase == Phase.WAITING) {
      account.spawning();
    }
    block = given.encoded();
    parts.connect(given);
    if (phase == Phase.WAITING) {
      sendToken();
    }
  }

  /** Hands over the token; the only way to anything of the command's running. */
  private void sendToken() {
    phase = Phase.SENDING;
    parts.send(block, this::running);
  }

  private void running() {
    account.tokenSent();
    phase = Phase.RUNNING;
    parts.running();
    block = new byte[0];
    cancelDeadline();
    Duration timeout = job == null ? null : job.timeout();
    if (!killed && timeout != null) {
      deadline = parts.schedule(timeout, () -> stop(new Ending.TimedOut()));
    }
    whenRunning.forEach(Runnable::run);
  }

  // ---- from the token to the end

  private void exited(int status) {
    boolean byReaper = killed && !order.pidNamespace() && (status & 0x7f) == 9;
    if (!byReaper) {
      account.exited(status);
    }
    cancelDeadline();
    parts.closeFeed();
    parts.killReaperAfter(Parts.LONG_GRACE);
  }

  void signal(int signal, boolean everyProcess) {
    Runnable send =
        () -> {
          if (!account.hasExited()) {
            parts.send(everyProcess ? Control.SIGNAL_ALL : Control.SIGNAL_COMMAND, signal);
          }
        };
    if (phase.compareTo(Phase.RUNNING) < 0) {
      whenRunning.add(send);
    } else {
      guard(send);
    }
  }

  /** Takes effect once there is a terminal. */
  void resize(TerminalSize size) {
    guard(() -> parts.resize(size));
  }

  void end(EndReason reason) {
    guard(() -> stop(new Ending.Ended(reason)));
  }

  private void setupDeadlinePassed() {
    String detail = "not ready after " + order.setupDeadline().toMillis() / 1000.0 + " s";
    stop(new Ending.SetupFailed(new SetupFailure("set up the sandbox", 0, detail)));
  }

  @Override
  public void inputFailed(IOException cause) {
    stop(new Ending.InputFailed(cause));
  }

  /** Ends the command, unless it turns out that it has ended by itself before. */
  private void stop(Ending.How how) {
    parts.receive();
    if (account.hasExited()) {
      parts.abandonReadersSoon();
    } else {
      account.blame(how);
      kill();
      finishIfOver();
    }
  }

  private void kill() {
    if (!killed) {
      killed = true;
      cancelDeadline();
      parts.kill(phase == Phase.RUNNING);
    }
  }

  private void cancelDeadline() {
    if (deadline != null) {
      deadline.cancel();
    }
  }

  @Override
  public void initDied() {
    account.ended();
  }

  @Override
  public void finishIfOver() {
    if (phase == Phase.DONE || !(parts.isDead() || isOverButForLauncher())) {
      return;
    }
    // What is handed on meanwhile may finish it from within.
    if (parts.drain(killed) && phase != Phase.DONE && (parts.isDead() || parts.leaveLauncher())) {
      complete();
    }
  }

  /** Whether all is known that there is to know, and nothing of it lives any more. */
  private boolean isOverButForLauncher() {
    return account.hasExited() && !killed && defect == null && parts.isEmpty();
  }

  private void complete() {
    String complaint = account.needsComplaint() ? parts.complaint() : "";
    Ending result = account.ending(complaint, parts.launcherEnd());
    releaseAll();
    if (defect == null) {
      ending.complete(result);
    } else {
      ending.completeExceptionally(defect);
    }
  }

  private void releaseAll() {
    phase = Phase.DONE;
    try {
      order.verifier().ended();
    } finally {
      parts.release();
      loop.detach(this);
    }
  }

  // ---- when something goes wrong in here

  @Override
  public void guard(Runnable step) {
    if (phase == Phase.DONE) {
      return;
    }
    try {
      step.run();
    } catch (SetupFailure e) {
      fail(e);
    } catch (PosixException e) {
      if (phase == Phase.RUNNING) {
        breakDown(e);
      } else {
        fail(new SetupFailure("set up the sandbox", e.errno(), String.valueOf(e.getMessage())));
      }
    } catch (Throwable e) {
      breakDown(e);
    }
  }

  private void fail(SetupFailure failure) {
    account.blame(new Ending.SetupFailed(failure));
    try {
      kill();
      finishIfOver();
    } catch (Throwable e) {
      breakDown(e);
    }
  }

  /** A defect of this library or a refusal of the kernel's: ends the command, and is told as is. */
  private void breakDown(Throwable cause) {
    if (defect != null || phase == Phase.DONE) {
      return;
    }
    defect = cause;
    try {
      parts.discardOutput(); // first: it may be memory that is short
      loop.schedule(Parts.LONG_GRACE, () -> giveUp(cause));
      if (killed) {
        parts.killInit(); // perhaps it was the kill itself that was refused
      } else {
        kill();
      }
      finishIfOver();
    } catch (Throwable e) {
      cause.addSuppressed(e);
      giveUp(cause);
    }
  }

  /** The last resort: kills, closes and completes without looking. */
  private void giveUp(Throwable cause) {
    if (phase == Phase.DONE) {
      return;
    }
    try {
      parts.killAtOnce();
      releaseAll();
    } catch (Throwable e) {
      cause.addSuppressed(e);
      phase = Phase.DONE;
      loop.detach(this);
    }
    ending.completeExceptionally(cause);
  }

  @Override
  public void loopIsClosing() {
    end(EndReason.CLOSED);
  }

  @Override
  public void loopHasEnded(Throwable cause) {
    giveUp(cause);
  }
}
