package io.zett.sandbox.process;

import io.zett.sandbox.TerminalSize;
import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.Waited;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one command consists of in this process: its launcher, zett-init, the control socket, the
 * pumps and the timers. They come one after the other and go together.
 */
final class Parts {

  /** Whom the parts tell what happens to them, each time under its guard. */
  interface Owner {
    /** Runs a step so that its failure is this command's alone. */
    void guard(Runnable step);

    void received(Control.Message message);

    void inputFailed(IOException cause);

    void initDied();

    /** Something has ended: perhaps it was the last. */
    void finishIfOver();
  }

  /** A copy of a descriptor is none of the standard streams'. */
  private static final int FIRST_FREE = 3;

  /** How long others may take over what is asked of them, before it is done for them. */
  static final Duration GRACE = Duration.ofMillis(500);

  /** The same where nobody is in a hurry, and for what should not happen at all. */
  static final Duration LONG_GRACE = Duration.ofSeconds(5);

  private final EventLoop loop;
  private final Posix posix;
  private final Order order;
  private final Owner owner;
  private final List<OutputPump> outputs = new ArrayList<>(2);
  private final List<Timer> timers = new ArrayList<>(4);
  private @Nullable Wiring wiring;
  private @Nullable Feed feed;
  private int terminal = -1;
  private @Nullable TerminalSize resized;
  private @Nullable Launcher launcher;
  private @Nullable Control control;
  private @Nullable InitProcess init;
  private boolean orphaned;
  private boolean draining;

  Parts(EventLoop loop, Posix posix, Order order, Owner owner) {
    this.loop = loop;
    this.posix = posix;
    this.order = order;
    this.owner = owner;
  }

  /**
   * Starts the launcher. What was made before a failure stays to be released.
   *
   * @param job what the sandbox is to run; null when it is to wait for that
   */
  void open(@Nullable Job job) {
    Wiring ends = new Wiring(posix, order);
    wiring = ends;
    DescriptorSet owned = ends.owned();
    if (job != null) {
      openInput(ends, job); // first, since a file may be missing
    }
    int pid = ends.spawn(order);
    launcher = new Launcher(loop, posix, owned, pid, owner::guard, this::launcherExited);
    control =
        new Control(
            loop, posix, owned, ends.control(), owner::guard, owner::received, owner::finishIfOver);
    if (job != null) {
      openStreams(ends, job);
    }
  }

  /** Connects a waiting sandbox with the streams of what it is to run. */
  void connect(Job job) {
    Wiring ends = Objects.requireNonNull(wiring);
    openInput(ends, job);
    openStreams(ends, job);
  }

  private void openInput(Wiring ends, Job job) {
    if (job.terminal() == null) {
      openInput(ends, job, ends.stdin());
    }
  }

  private void openInput(Wiring ends, Job job, int fd) {
    feed =
        Feeds.of(
            job.input(),
            loop,
            posix,
            ends.owned(),
            fd,
            job.terminal() != null,
            owner::guard,
            owner::inputFailed);
    if (feed == null) {
      ends.owned().close(fd);
    }
  }

  /** What zett-init sends takes the place of the pipes. */
  void connectTerminal(Job job, Control.Message message) {
    Wiring ends = Objects.requireNonNull(wiring);
    if (message.descriptor() < 0 || terminal >= 0) {
      throw new SetupFailure("open a terminal", 0, "its descriptor did not arrive");
    }
    terminal = message.descriptor();
    posix.fcntl(terminal, Constants.F_SETFL, Constants.O_RDWR | Constants.O_NONBLOCK);
    if (resized != null) {
      resize(resized);
    }
    openInput(ends, job, ends.owned().add(posix.dup(terminal, FIRST_FREE)));
    read(ends, terminal, job.out());
    if (feed != null) {
      feed.feed();
    }
  }

  void resize(TerminalSize size) {
    resized = size;
    if (terminal >= 0 && outputs.stream().noneMatch(OutputPump::isClosed)) {
      posix.setWindowSize(terminal, size.rows(), size.columns());
    }
  }

  private void openStreams(Wiring ends, Job job) {
    if (job.terminal() != null) {
      ends.owned().close(ends.stdin());
      ends.owned().close(ends.stdout());
      ends.owned().close(ends.stderr());
      return;
    }
    read(ends, ends.stdout(), job.out());
    Sink err = job.err();
    if (err == null) {
      ends.owned().close(ends.stderr());
    } else {
      read(ends, ends.stderr(), err);
    }
    // A stream is read once, so not before it is certain that this sandbox will have it.
    if (feed != null && !(job.input() instanceof Input.Stream)) {
      feed.feed();
    }
  }

  /** The command begins. */
  void running() {
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
            fd == terminal,
            sink,
            owner::guard,
            owner::finishIfOver));
  }

  /** Takes hold of the process that said READY; its pid, or 0 when it is dead again. */
  int findInit(int sender) {
    if (wiring == null || control == null || launcher == null) {
      return 0;
    }
    if (!order.pidNamespace()) {
      init = InitProcess.of(loop, posix, wiring.owned(), launcher);
    } else if (sender > 0) {
      init =
          InitProcess.of(
              loop, posix, wiring.owned(), sender, control, owner::guard, this::initDied);
    } else {
      throw new SetupFailure("find the sandbox's process", 0, "the kernel did not tell its number");
    }
    return init == null ? 0 : init.pid();
  }

  Timer schedule(Duration delay, Runnable action) {
    Timer timer =
        loop.schedule(
            delay,
            () ->
                owner.guard(
                    () -> {
                      action.run();
                      owner.finishIfOver();
                    }));
    timers.add(timer);
    return timer;
  }

  void send(byte[] block, Runnable sent) {
    if (control != null) {
      control.send(block, sent);
    }
  }

  void send(int type, long value) {
    if (control != null) {
      control.send(type, value);
    }
  }

  /** Takes every record of zett-init's that has arrived by now. */
  void receive() {
    if (control != null) {
      control.receive();
    }
  }

  /** Whether zett-init is gone, although nobody may have been told yet. */
  boolean isHungUp() {
    return control == null || control.isEnded() || control.isHungUp();
  }

  /**
   * Ends everything; {@code running}: zett-init has been told to start the command.
   *
   * <p>The input stays open until all are dead: a command that saw its end in the last moment would
   * take half of it for the whole, and could even exit as if all were well.
   */
  void kill(boolean running) {
    if (draining) {
      abandonReadersSoon();
    }
    if (init == null) {
      killLauncher();
    } else if (order.pidNamespace() || !running) {
      init.kill();
    } else {
      send(Control.END, 0);
      killReaperAfter(GRACE);
    }
  }

  /** Before READY, whoever is to become zett-init is known to the launcher alone. */
  private void killLauncher() {
    if (launcher == null) {
      return;
    }
    if (order.pidNamespace()) {
      launcher.abort();
    } else {
      launcher.kill();
    }
  }

  /** A reaper that does not get done with what the command has left is not waited for. */
  void killReaperAfter(Duration time) {
    if (!order.pidNamespace() && init != null) {
      schedule(time, init::killWithDescendants);
    }
  }

  /**
   * zett-init alone: its launcher is being ended already, and must not die before it is looked at.
   */
  void killInit() {
    if (init != null) {
      init.kill();
    }
  }

  /** The last resort. */
  void killAtOnce() {
    if (init != null) {
      init.kill();
    }
    if (launcher != null) {
      launcher.kill();
    }
  }

  private void initDied() {
    owner.initDied();
    receive(); // its last words
    if (launcher != null && !launcher.isGone()) {
      schedule(LONG_GRACE, launcher::kill);
    }
    owner.finishIfOver();
  }

  private void launcherExited() {
    if (init != null && !order.pidNamespace()) {
      owner.initDied();
      init.markGone();
    }
    receive();
    if (init == null && control != null && !control.isEnded()) {
      // Somebody whom it started still holds the socket; closed, it lets nothing start any more.
      schedule(GRACE, () -> orphaned = true);
    }
    owner.finishIfOver();
  }

  /** Whether all processes are dead. */
  boolean isDead() {
    if (launcher == null) {
      return true;
    }
    return launcher.isGone()
        && (init != null ? init.isGone() : orphaned || control == null || control.isEnded());
  }

  /**
   * Whether everything in the sandbox is dead. Its launcher then has nothing to do but to tell of
   * it and exit.
   */
  boolean isEmpty() {
    return order.pidNamespace() && init != null && init.isGone();
  }

  /** Has the launcher go by itself, without the rest; false where it must be waited for. */
  boolean leaveLauncher() {
    if (launcher == null || !launcher.leave()) {
      return false;
    }
    launcher = null;
    return true;
  }

  /** Reads what the dead have left; whether all of it has been handed on. */
  boolean drain(boolean hurry) {
    if (!draining) {
      draining = true;
      closeFeed();
      outputs.forEach(OutputPump::drain);
      if (hurry) {
        abandonReadersSoon();
      }
    }
    return outputs.stream().allMatch(OutputPump::isDone);
  }

  /** Nobody will be given what was written: the memory may be what the rest needs. */
  void discardOutput() {
    outputs.forEach(OutputPump::discard);
  }

  /** Once the command is dead or unwanted, those who do not take its output hold up nobody. */
  void abandonReadersSoon() {
    schedule(GRACE, () -> outputs.forEach(OutputPump::abandon));
  }

  void closeFeed() {
    if (feed != null) {
      feed.close();
    }
  }

  String complaint() {
    return wiring == null ? "" : wiring.complaint();
  }

  @Nullable Waited launcherEnd() {
    return launcher == null ? null : launcher.waited();
  }

  /** Closes and forgets everything. */
  void release() {
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
  }
}
