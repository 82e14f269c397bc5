package io.zett.sandbox.process;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a command's standard input into its pipe. On the loop's thread. A command that ends, or
 * closes its input, without reading is nobody's failure.
 */
abstract sealed class Feed permits BytesFeed, DescriptorFeed, StreamFeed {

  /** What a step of the feed came to. */
  enum Step {
    /** The pipe is full. */
    FULL,
    /** The source has nothing yet; whoever has it calls {@link #feed} again. */
    WAITING,
    /** Everything is written, or nobody reads. */
    FINISHED
  }

  /** As for output: see {@link OutputPump}. */
  static final int LARGE_PIPE = 1 << 18;

  /** How much is moved before others get their turn. */
  static final int TURN = 1 << 20;

  final EventLoop loop;
  final Posix posix;
  final Consumer<Runnable> guard;
  final int pipe;
  private final DescriptorSet owned;
  private @Nullable Watch watch;

  /** Whether epoll has just said so: then a step that would block lacks something else. */
  private boolean pipeIsWritable;

  private boolean closed;

  Feed(EventLoop loop, Posix posix, DescriptorSet owned, int pipe, Consumer<Runnable> guard) {
    this.loop = loop;
    this.posix = posix;
    this.owned = owned;
    this.pipe = pipe;
    this.guard = guard;
  }

  /** Writes what the pipe takes. */
  abstract Step step();

  /** Lets go of the source. */
  abstract void closeSource();

  /** Goes on as far as it can now, and arranges for the rest. */
  final void feed() {
    if (closed) {
      return;
    }
    switch (step()) {
      case FINISHED -> close();
      case FULL -> await(Constants.EPOLLOUT);
      case WAITING -> await(0);
    }
  }

  private void await(int events) {
    if (closed) {
      return;
    }
    if (watch != null) {
      watch.want(events);
    } else if (events != 0) {
      watch = loop.watch(pipe, events, ready -> guard.accept(this::pipeIsReady));
    }
  }

  private void pipeIsReady() {
    pipeIsWritable = true;
    feed();
    pipeIsWritable = false;
  }

  final boolean isPipeWritable() {
    return pipeIsWritable;
  }

  /** The command sees the end of its input. */
  final void close() {
    if (!closed) {
      closed = true;
      if (watch != null) {
        loop.unwatch(watch);
      }
      owned.close(pipe);
      closeSource();
    }
  }

  final boolean isClosed() {
    return closed;
  }

  /** What a negative count of a write to the pipe means. */
  static Step stopped(long count) {
    if (count == -Errno.EAGAIN) {
      return Step.FULL;
    }
    if (count == -Errno.EPIPE) {
      return Step.FINISHED; // The command reads no more.
    }
    throw new PosixException((int) -count, "write", "the command's input");
  }
}
