package io.zett.sandbox.process;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.Waited;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** The launcher's process: a child of ours, so its pid is its own until we have waited for it. */
final class Launcher implements EventLoop.Guest {

  private final EventLoop loop;
  private final Posix posix;
  private final DescriptorSet owned;
  private final int pid;
  private final int pidfd;
  private final Watch watch;
  private Consumer<Runnable> guard;
  private Runnable exited;

  /** What was killed with it: the children of this JVM now, where it is who adopts orphans. */
  private final Map<Integer, @Nullable Watch> orphans = new HashMap<>();

  private boolean stopping;
  private @Nullable Timer patience; // with one that is leaving; null before
  private boolean gone;
  private @Nullable Waited waited;

  /**
   * Watches a launcher.
   *
   * @param exited called once it is dead and waited for
   */
  Launcher(
      EventLoop loop,
      Posix posix,
      DescriptorSet owned,
      int pid,
      Consumer<Runnable> guard,
      Runnable exited) {
    this.loop = loop;
    this.posix = posix;
    this.owned = owned;
    this.pid = pid;
    this.guard = guard;
    this.exited = exited;
    int fd = -1;
    try {
      fd = owned.add(posix.pidfdOpen(pid, 0));
      watch = loop.watch(fd, Constants.EPOLLIN, events -> this.guard.accept(this::reap));
    } catch (RuntimeException | Error e) {
      killUnwatched();
      throw e;
    }
    pidfd = fd;
  }

  /** As {@link #abort}, but waiting, since nobody would tell its end; it is soon there. */
  private void killUnwatched() {
    posix.kill(pid, Constants.SIGSTOP);
    posix.awaitStopOrDeath(pid);
    try {
      new ProcessTree(posix).killDescendants(pid);
    } finally {
      posix.kill(pid, Constants.SIGKILL);
      posix.wait4(pid, 0);
    }
  }

  int pid() {
    return pid;
  }

  int pidfd() {
    return pidfd;
  }

  /** Whether it is dead and waited for, and with it what {@link #abort} killed. */
  boolean isGone() {
    return gone && orphans.isEmpty();
  }

  /** How it ended; null while it lives, or when the JVM's parent ignores SIGCHLD for it. */
  @Nullable Waited waited() {
    return waited;
  }

  private void reap() {
    if (gone || stopping) {
      return; // whoever stops it relies on its pid
    }
    try {
      waited = posix.wait4(pid, Constants.WNOHANG);
      if (waited == null) {
        return;
      }
    } catch (PosixException e) {
      if (e.errno() != Errno.ECHILD) {
        throw e;
      }
    }
    gone = true;
    loop.unwatch(watch);
    for (int orphan : List.copyOf(orphans.keySet())) {
      Runnable reap = () -> reapOrphan(orphan);
      orphans.put(orphan, loop.watch(orphan, Constants.EPOLLIN, events -> guard.accept(reap)));
    }
    if (orphans.isEmpty()) {
      exited.run();
    }
  }

  /** As pid 1 of a container a JVM gets the children of a dead launcher, and must wait for them. */
  private void reapOrphan(int orphan) {
    posix.reap(orphan);
    forget(orphan);
    if (orphans.isEmpty()) {
      exited.run();
    }
  }

  private void forget(int orphan) {
    Watch watched = orphans.remove(orphan);
    if (watched != null) {
      loop.unwatch(watched);
    }
    owned.close(orphan);
  }

  void kill() {
    if (!gone) {
      posix.pidfdSendSignal(pidfd, Constants.SIGKILL);
    }
  }

  /**
   * Kills the launcher and what it has started so far. Killed alone, it could leave a child that
   * waits for it for ever, so it is stopped first; then its children are all there.
   */
  void abort() {
    if (gone || stopping) {
      return;
    }
    stopping = true;
    watch.want(0);
    posix.pidfdSendSignal(pidfd, Constants.SIGSTOP);
    // A stop is told by waiting only, and a launcher may be in the kernel for a while.
    elsewhere(
        "zett-sandbox-abort",
        () -> {
          try {
            posix.awaitStopOrDeath(pid);
          } finally {
            loop.offer(() -> guard.accept(this::killStopped));
          }
        });
  }

  /** On a thread of its own; here, which holds up others for a moment, when none can be had. */
  private static void elsewhere(String name, Runnable task) {
    Thread thread = Thread.ofPlatform().name(name).daemon().unstarted(task);
    try {
      thread.start();
    } catch (OutOfMemoryError e) {
      task.run();
    }
  }

  private void killStopped() {
    stopping = false;
    try {
      IntConsumer follow = orphan -> orphans.put(owned.add(orphan), null);
      new ProcessTree(posix, follow).killDescendants(pid);
    } finally {
      posix.pidfdSendSignal(pidfd, Constants.SIGKILL);
      watch.want(Constants.EPOLLIN);
    }
  }

  /**
   * From here on it goes by itself, without its command: whose first process is dead, so that it
   * has nothing to do but to exit, which it does a moment later.
   *
   * @return false when the loop is closing; then nothing has changed
   */
  boolean leave() {
    if (!loop.attach(this)) {
      return false;
    }
    try {
      patience = loop.schedule(Parts.LONG_GRACE, this::kill);
    } catch (OutOfMemoryError e) {
      loop.detach(this);
      throw e;
    }
    owned.remove(pidfd);
    guard = this::attempt;
    exited = this::left;
    return true;
  }

  private void left() {
    if (patience != null) {
      patience.cancel();
    }
    posix.close(pidfd);
    loop.detach(this); // last, since it is waited for
  }

  /** Nobody is told of a failure any more: what cannot be watched is killed and waited for. */
  private void attempt(Runnable step) {
    try {
      step.run();
    } catch (OutOfMemoryError e) {
      throw e; // It is tried again.
    } catch (Throwable e) {
      loopHasEnded(e);
    }
  }

  @Override
  public boolean isLeaving() {
    return patience != null;
  }

  @Override
  public void loopIsClosing() {
    kill();
  }

  @Override
  public void loopHasEnded(Throwable cause) {
    if (!gone) {
      killAtOnce();
      release();
      left();
    }
  }

  private void killAtOnce() {
    try {
      kill();
    } catch (PosixException e) {
      // It exits by itself.
    }
  }

  /** Forgets it. One that is not dead yet has been killed, and nobody else would wait for it. */
  void release() {
    List.copyOf(orphans.keySet()).forEach(this::forget);
    loop.unwatch(watch);
    owned.close(pidfd);
    if (!gone) {
      elsewhere("zett-sandbox-reaper", () -> posix.wait4(pid, 0));
    }
  }
}
