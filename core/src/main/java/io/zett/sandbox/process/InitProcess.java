package io.zett.sandbox.process;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** zett-init as the caller sees it: its end is the end of the command's every process. */
final class InitProcess {

  private final EventLoop loop;
  private final Posix posix;
  private final DescriptorSet owned;
  private final int pid;
  private final int pidfd;
  private final Runnable died;
  private @Nullable Watch watch;
  private boolean gone;

  private InitProcess(
      EventLoop loop, Posix posix, DescriptorSet owned, int pid, int pidfd, Runnable died) {
    this.loop = loop;
    this.posix = posix;
    this.owned = owned;
    this.pid = pid;
    this.pidfd = pidfd;
    this.died = died;
  }

  /**
   * Takes hold of the process that said READY; null when it is gone already.
   *
   * @param died called once it and everything in its pid namespace is dead
   */
  static @Nullable InitProcess of(
      EventLoop loop,
      Posix posix,
      DescriptorSet owned,
      int pid,
      Control control,
      Consumer<Runnable> guard,
      Runnable died) {
    int pidfd;
    try {
      pidfd = owned.add(posix.pidfdOpen(pid, 0));
    } catch (PosixException e) {
      if (e.errno() == Errno.ESRCH || e.errno() == Errno.EINVAL) {
        return null;
      }
      throw e;
    }
    // The number may have become another's before the pidfd was open. A process that has been
    // reaped has let go of its socket, and so has the launcher before it reaped it.
    if (control.isHungUp()) {
      owned.close(pidfd);
      return null;
    }
    InitProcess process = new InitProcess(loop, posix, owned, pid, pidfd, died);
    process.watch = loop.watch(pidfd, Constants.EPOLLIN, events -> guard.accept(process::markGone));
    return process;
  }

  /** The launcher itself, where there is no namespace; who watches the launcher marks it gone. */
  static InitProcess of(EventLoop loop, Posix posix, DescriptorSet owned, Launcher launcher) {
    return new InitProcess(loop, posix, owned, launcher.pid(), launcher.pidfd(), () -> {});
  }

  int pid() {
    return pid;
  }

  boolean isGone() {
    return gone;
  }

  void markGone() {
    if (!gone) {
      gone = true;
      release();
      died.run();
    }
  }

  void kill() {
    if (!gone) {
      posix.pidfdSendSignal(pidfd, Constants.SIGKILL);
    }
  }

  /** Kills it where no namespace does the rest: what it has started goes first. */
  void killWithDescendants() {
    if (!gone) {
      try {
        new ProcessTree(posix).killDescendants(pid);
      } finally {
        kill();
      }
    }
  }

  void release() {
    if (watch != null) {
      loop.unwatch(watch);
      owned.close(pidfd);
    }
  }
}
