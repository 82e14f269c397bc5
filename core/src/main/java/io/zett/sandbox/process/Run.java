package io.zett.sandbox.process;

import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The states of one command; see {@link Supervisor}. On the loop's thread. */
final class Run implements EventLoop.Guest {

  /** How far it has come. */
  private enum Phase {
    STARTING,
    VERIFYING,
    SENDING,
    RUNNING,
    DONE
  }

  /** How long others may take over what is asked of them, before it is done for them. */
  private static final Duration GRACE = Duration.ofMillis(500);

  /** The same where nobody is in a hurry, and for what should not happen at all. */
  private static final Duration LONG_GRACE = Duration.ofSeconds(5);

  private final EventLoop loop;
  private final Posix posix;
  private final Order order;
  private final CompletableFuture<Ending> ending;
  private final Account account = new Account();
  private final List<OutputPump> outputs = new ArrayList<>(2);
  private final List<Timer> timers = new ArrayList<>(4);
  private final List<Runnable> whenRunning = new ArrayList<>();
  private byte[] block = {};

  private Phase phase = Phase.STARTING;
  private @Nullable Wiring wiring;
  private @Nullable Control control;
  private @Nullable Launcher launcher;
  private @Nullable InitProcess init;
  private @Nullable Feed feed;
  private @Nullable Timer deadline; // of the set-up, then of the command
  private boolean killed;
  private boolean orphaned;
  private boolean draining;
  private @Nullable Throwable defect;

  Run(EventLoop loop, Posix posix, Order order, CompletableFuture<Ending> ending) {
    this.loop = loop;
    this.posix = posix;
    this.order = order;
    this.ending = ending;
  }

  // ---- up to the token

  void start() {
    account.spawning();
    boolean open = loop.attach(this);
    guard(
        () -> {
          try {
            if (open) {
              spawn();
            } else {
              account.blame(new Ending.Ended(EndReason.CLOSED));
            }
          } finally {
            Inherited.closeOwned(order.inherited(), posix);
          }
          finishIfOver();
        });
  }

  private void spawn() {
    block = order.block().encode();
    Wiring ends = new Wiring(posix, order);
    wiring = ends;
    DescriptorSet owned = ends.owned();
    feed =
        Feeds.of(order.input(), loop, posix, owned, ends.stdin(), this::guard, this::inputFailed);
    int pid = ends.spawn(order);
    launcher = new Launcher(loop, posix, owned, pid, this::guard, this::launcherExited);
    control =
        new Control(
            loop, posix, owned, ends.control(), this::guard, this::received, this::controlEnded);
    read(ends, ends.stdout(), order.out());
    if (order.err() != null) {
      read(ends, ends.stderr(), order.err());
    }
    deadline = schedule(order.setupDeadline(), this::setupDeadlinePassed);
    if (feed != null) {
      feed.feed();
    }
  }

  private void read(Wiring ends, int fd, Sink sink) {
    outputs.add(
        new OutputPump(
            loop,
            posix,
            ends.owned(),
            fd,
            ends.nullDevice(),
            sink,
            this::guard,
            this::finishIfOver));
  }

  private void received(Control.Message message) {
    switch (message.type()) {
      case Control.READY -> ready(message.sender());
      case Control.FAILED -> {
        account.blame(new Ending.SetupFailed(Account.failure(message, order.block())));
        kill();
      }
      case Control.EXEC_FAILED -> account.execFailed((int) message.a());
      case Control.EXIT -> exited((int) message.a());
      case Control.USAGE -> account.used(message.a(), message.b(), message.c());
      default -> {} // STARTED is of no consequence
    }
  }

  private void ready(int sender) {
    if (phase != Phase.STARTING || control == null || launcher == null || wiring == null) {
      return;
    }
    phase = Phase.VERIFYING;
    if (!order.pidNamespace()) {
      init = InitProcess.of(loop, posix, wiring.owned(), launcher);
    } else if (sender > 0) {
      init =
          InitProcess.of(loop, posix, wiring.owned(), sender, control, this::guard, this::initDied);
    } else {
      throw new SetupFailure("find the sandbox's process", 0, "the kernel did not tell its number");
    }
    if (init == null) {
      return; // dead again: the end-of-file is on its way
    }
    if (killed) {
      init.kill();
    } else {
      verify(init.pid());
    }
  }

  private void verify(int pid) {
    Verifier verifier = order.verifier();
    if (verifier.isCheap()) {
      verifier.verify(pid);
      release();
      return;
    }
    Thread.ofVirtual()
        .name("zett-sandbox-verifier")
        .start(
            () -> {
              Runnable verdict = this::release;
              try {
                verifier.verify(pid);
              } catch (Throwable e) {
                verdict =
                    () -> {
                      throw e;
                    };
              }
              Runnable told = verdict;
              loop.offer(() -> guard(told));
            });
  }

  private void release() {
    if (phase == Phase.VERIFYING && !killed && control != null) {
      phase = Phase.SENDING;
      control.send(block, this::running);
    }
  }

  private void running() {
    account.tokenSent();
    phase = Phase.RUNNING;
    block = new byte[0];
    if (deadline != null) {
      deadline.cancel();
    }
    if (!killed && order.timeout() != null) {
      deadline = schedule(order.timeout(), this::deadlinePassed);
    }
    whenRunning.forEach(Runnable::run);
  }

  // ---- from the token to the end

  private void exited(int status) {
    boolean byReaper = killed && !order.pidNamespace() && (status & 0x7f) == 9;
    if (!byReaper) {
      account.exited(status);
    }
    if (deadline != null) {
      deadline.cancel();
    }
    closeFeed();
    if (!order.pidNamespace() && init != null) {
      schedule(LONG_GRACE, init::killWithDescendants);
    }
  }

  void signal(int signal, boolean everyProcess) {
    Runnable send =
        () -> {
          if (control != null && !account.hasExited()) {
            control.send(everyProcess ? Control.SIGNAL_ALL : Control.SIGNAL_COMMAND, signal);
          }
        };
    if (phase.compareTo(Phase.RUNNING) < 0) {
      whenRunning.add(send);
    } else {
      guard(send);
    }
  }

  void end(EndReason reason) {
    guard(() -> stop(new Ending.Ended(reason)));
  }

  private void deadlinePassed() {
    stop(new Ending.TimedOut());
  }

  private void setupDeadlinePassed() {
    Duration time = order.setupDeadline();
    stop(
        new Ending.SetupFailed(
            new SetupFailure(
                "set up the sandbox", 0, "not ready after " + time.toSeconds() + " s")));
  }

  private void inputFailed(IOException cause) {
    stop(new Ending.InputFailed(cause));
  }

  /** Ends the command, unless it turns out that it has ended by itself before. */
  private void stop(Ending.How how) {
    if (control != null) {
      control.receive();
    }
    if (!account.hasExited()) {
      account.blame(how);
      kill();
      finishIfOver();
    } else {
      schedule(GRACE, this::abandonReaders);
    }
  }

  private void kill() {
    if (killed) {
      return;
    }
    killed = true;
    if (deadline != null) {
      deadline.cancel();
    }
    closeFeed();
    if (draining) {
      schedule(GRACE, this::abandonReaders);
    }
    if (init == null) {
      abort();
    } else if (order.pidNamespace() || phase != Phase.RUNNING || control == null) {
      init.kill();
    } else {
      control.send(Control.END, 0);
      schedule(GRACE, init::killWithDescendants);
    }
  }

  /** Before READY: whoever is to become zett-init is only known to the launcher. */
  private void abort() {
    if (launcher == null) {
      return;
    }
    if (order.pidNamespace()) {
      launcher.abort();
    } else {
      launcher.kill();
    }
  }

  private void controlEnded() {
    finishIfOver();
  }

  private void initDied() {
    account.ended();
    if (control != null) {
      control.receive(); // its last words
    }
    if (launcher != null && !launcher.isGone()) {
      schedule(LONG_GRACE, launcher::kill);
    }
    finishIfOver();
  }

  private void launcherExited() {
    if (init != null && !order.pidNamespace()) {
      account.ended();
      init.markGone();
    }
    if (control != null) {
      control.receive();
    }
    if (init == null && control != null && !control.isEnded()) {
      // Somebody whom it started still holds the socket; closed, it lets nothing start any more.
      schedule(GRACE, () -> orphaned = true);
    }
    finishIfOver();
  }

  // ---- the end

  private boolean isDead() {
    if (launcher == null) {
      return true;
    }
    return launcher.isGone()
        && (init != null ? init.isGone() : orphaned || control == null || control.isEnded());
  }

  private void finishIfOver() {
    if (phase == Phase.DONE || !isDead()) {
      return;
    }
    if (!draining) {
      draining = true;
      closeFeed();
      outputs.forEach(OutputPump::drain);
      if (killed) {
        schedule(GRACE, this::abandonReaders);
      }
    }
    if (phase != Phase.DONE && outputs.stream().allMatch(OutputPump::isDone)) {
      complete();
    }
  }

  /** Once the command is dead or unwanted, those who do not take its output hold up nobody. */
  private void abandonReaders() {
    outputs.forEach(OutputPump::abandon);
  }

  private void complete() {
    String complaint = wiring != null && account.needsComplaint() ? wiring.complaint() : "";
    Ending result = account.ending(complaint, launcher == null ? null : launcher.waited());
    releaseAll();
    if (defect == null) {
      ending.complete(result);
    } else {
      ending.completeExceptionally(defect);
    }
  }

  private void releaseAll() {
    phase = Phase.DONE;
    timers.forEach(Timer::cancel);
    outputs.forEach(OutputPump::close);
    closeFeed();
    if (control != null) {
      control.close();
    }
    if (init != null) {
      init.release();
    }
    if (launcher != null) {
      launcher.release();
    }
    if (wiring != null) {
      wiring.close();
    }
    loop.detach(this);
  }

  private void closeFeed() {
    if (feed != null) {
      feed.close();
    }
  }

  private Timer schedule(Duration delay, Runnable action) {
    Timer timer =
        loop.schedule(
            delay,
            () ->
                guard(
                    () -> {
                      action.run();
                      finishIfOver();
                    }));
    timers.add(timer);
    return timer;
  }

  // ---- when something goes wrong in here

  /** Runs a step; a failure is this command's, never the loop's or another command's. */
  private void guard(Runnable step) {
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

  private void breakDown(Throwable cause) {
    if (defect != null) {
      return;
    }
    defect = cause;
    loop.schedule(LONG_GRACE, () -> giveUp(cause));
    try {
      kill();
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
      if (init != null) {
        init.kill();
      }
      if (launcher != null) {
        launcher.kill();
      }
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
