package io.zett.sandbox.process;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Reads one output stream of a command to its end. On the loop's thread.
 *
 * <p>The stream's end is not waited for once the command is dead: somebody elsewhere may hold the
 * pipe open. What is in it at that moment is all that the command wrote.
 */
final class OutputPump implements Relay.Listener {

  /** How much is read before others get their turn: the timers, above all. */
  private static final int TURN = 1 << 20;

  /** A stream that filled a whole pipe this often in one turn is busy. */
  private static final int BUSY = 4;

  /** As fast as 1 MiB was, and easier on the user's budget of 64 MiB (pipe(7)). */
  private static final int LARGE_PIPE = 1 << 18;

  /** {@code FIONREAD}: bytes in the pipe. */
  private static final long FIONREAD = 0x541B;

  private final EventLoop loop;
  private final Posix posix;
  private final DescriptorSet owned;
  private final int fd;
  private final int nullDevice;
  private final boolean terminal;
  private final Sink sink;
  private final Runnable finished;
  private final Consumer<Runnable> guard;
  private final Watch watch;
  private long left = Long.MAX_VALUE;
  private boolean heldUp;
  private boolean enlarged;
  private boolean closed;
  private boolean done;
  private boolean spliceRefused;

  /**
   * A pump.
   *
   * @param terminal whether it is a terminal's output, which ends with an error (pty(7))
   * @param guard runs what comes from another thread, on the loop, with the command's safety net
   * @param finished called once everything is read and handed on
   */
  OutputPump(
      EventLoop loop,
      Posix posix,
      DescriptorSet owned,
      int fd,
      int nullDevice,
      boolean terminal,
      Sink sink,
      Consumer<Runnable> guard,
      Runnable finished) {
    this.loop = loop;
    this.posix = posix;
    this.owned = owned;
    this.fd = fd;
    this.nullDevice = nullDevice;
    this.terminal = terminal;
    this.sink = sink;
    this.guard = guard;
    this.finished = finished;
    switch (sink) {
      case Backlog backlog -> backlog.attach(this::roomAgain);
      case Relay relay -> relay.attach(this);
      case Capture _ -> {}
    }
    watch = loop.watch(fd, Constants.EPOLLIN, events -> guard.accept(this::pump));
  }

  boolean isDone() {
    return done;
  }

  boolean isClosed() {
    return closed;
  }

  /** The command is dead: reads what is in the pipe, and no more. */
  void drain() {
    if (!closed && left == Long.MAX_VALUE) {
      // A terminal does not tell all that it has; nobody has it open who could write more.
      left = terminal ? Long.MAX_VALUE - 1 : posix.ioctlInt(fd, FIONREAD, 0);
      heldUp &= sink instanceof Relay; // what is left is taken over from whoever else is slow
      while (!closed && !heldUp) {
        pump();
      }
    }
  }

  /** Forgets what it has kept; what comes is skipped. */
  void discard() {
    if (sink instanceof Capture capture) {
      capture.discard();
    }
  }

  /** Gives up on a reader that does not take what waits for it. */
  void abandon() {
    if (!done && sink instanceof Relay relay) {
      relay.abandon();
      close();
      finish();
    }
  }

  /** Takes the descriptor from the loop, whatever is left in it. */
  void close() {
    if (!closed) {
      closed = true;
      loop.unwatch(watch);
      owned.close(fd);
      if (sink instanceof Backlog backlog) {
        backlog.end();
      }
    }
  }

  private void pump() {
    int full = 0;
    for (long turn = 0; turn < TURN && !closed && !heldUp; ) {
      if (left <= 0) {
        endOfStream();
        return;
      }
      long count = sink instanceof Capture capture && capture.isFull() ? skip(capture) : take();
      if (count == -Errno.EAGAIN && left == Long.MAX_VALUE) {
        return;
      }
      boolean hungUp = terminal && count == -Errno.EIO;
      if (count < 0 && count != -Errno.EAGAIN && !hungUp) {
        throw new PosixException((int) -count, "read", "the command's output");
      }
      if (count <= 0) {
        endOfStream();
        return;
      }
      turn += count;
      if (left != Long.MAX_VALUE) {
        left -= count;
      } else if (count < loop.scratch().capacity()) {
        return; // empty now, most likely; if not, epoll says so
      } else if (++full == BUSY && !enlarged) {
        enlarged = true;
        posix.setPipeSize(fd, LARGE_PIPE);
      }
    }
  }

  private long take() {
    ByteBuffer buffer = loop.scratch();
    buffer.limit((int) Math.min(buffer.capacity(), left));
    long count = posix.read(fd, buffer);
    if (count > 0) {
      buffer.flip();
      switch (sink) {
        case Backlog backlog -> holdUpUnless(backlog.accept(buffer, left != Long.MAX_VALUE));
        case Capture capture -> capture.accept(buffer);
        case Relay relay -> holdUpUnless(relay.accept(buffer));
      }
    }
    return count;
  }

  private void holdUpUnless(boolean room) {
    if (!room) {
      heldUp = true;
      watch.want(0);
    }
  }

  private long skip(Capture capture) {
    long count = -Errno.EINVAL;
    if (!spliceRefused) {
      int flags = Constants.SPLICE_F_MOVE | Constants.SPLICE_F_NONBLOCK;
      count = posix.splice(fd, nullDevice, Math.min(TURN, left), flags);
      spliceRefused = count == -Errno.EINVAL;
    }
    if (spliceRefused) {
      ByteBuffer buffer = loop.scratch();
      buffer.limit((int) Math.min(buffer.capacity(), left));
      count = posix.read(fd, buffer);
    }
    if (count > 0) {
      capture.skipped(count);
    }
    return count;
  }

  private void endOfStream() {
    close();
    if (!(sink instanceof Relay relay) || relay.end()) {
      finish();
    }
  }

  private void finish() {
    if (!done) {
      done = true;
      finished.run();
    }
  }

  // The relay's thread calls these; after the loop's end nobody waits for them.

  @Override
  public void roomAgain() {
    hop(
        () -> {
          heldUp = false;
          if (!closed && left == Long.MAX_VALUE) {
            watch.want(Constants.EPOLLIN);
          }
          while (!closed && !heldUp && left != Long.MAX_VALUE) {
            pump();
          }
        });
  }

  @Override
  public void failed() {
    hop(this::close);
  }

  @Override
  public void finished() {
    hop(
        () -> {
          close(); // not yet so after a failure
          finish();
        });
  }

  private void hop(Runnable action) {
    loop.offer(() -> guard.accept(action));
  }
}
