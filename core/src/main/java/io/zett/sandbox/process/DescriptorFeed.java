package io.zett.sandbox.process;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a descriptor gives: by {@code splice(2)} straight from its pages, or read and written where
 * that does not work (terminals).
 */
final class DescriptorFeed extends Feed {

  private static final int CHUNK = 1 << 18;

  private static final int HELD = 1 << 16;

  private final int source;
  private final DescriptorSet owned;
  private final Consumer<IOException> failed;
  private final boolean regular;
  private @Nullable Watch sourceWatch;
  private boolean neverBlocks;
  private boolean sourceReady;
  private boolean spliceRefused;
  private boolean enlarged;

  /** Read from the source, not yet written. */
  private ByteBuffer held = ByteBuffer.allocate(0);

  /**
   * A feed; {@code source} is closed at its end when it is in {@code owned}.
   *
   * @param failed told when the source cannot be read
   */
  DescriptorFeed(
      EventLoop loop,
      Posix posix,
      DescriptorSet owned,
      int pipe,
      Consumer<Runnable> guard,
      int source,
      Consumer<IOException> failed) {
    super(loop, posix, owned, pipe, guard);
    this.source = source;
    this.owned = owned;
    this.failed = failed;
    regular = posix.fstat(source).isRegular();
    neverBlocks = regular;
  }

  @Override
  Step step() {
    for (long turn = 0; turn < TURN; ) {
      if (held.hasRemaining()) {
        long count = posix.write(pipe, held);
        if (count < 0) {
          return stopped(count);
        }
        turn += count;
        continue;
      }
      if (!neverBlocks && !sourceReady) {
        return awaitSource();
      }
      long count = move();
      if (count == 0) {
        return Step.FINISHED;
      } else if (count == -Errno.EAGAIN) {
        return blocked();
      } else if (count == -Errno.EPIPE) {
        return Step.FINISHED;
      } else if (count < 0) {
        failed.accept(new IOException(Errno.describe((int) -count)));
        return Step.WAITING; // for the death of the command, which must not see an end
      }
      turn += count;
      sourceReady = false; // a descriptor that others share may block: asked before every read
    }
    return Step.FULL; // or so; epoll says at once when it is not
  }

  /** Bytes moved or taken in hand, or the negated error. */
  private long move() {
    if (regular && !enlarged) {
      enlarged = true;
      if (posix.fstat(source).size() > CHUNK) {
        posix.setPipeSize(pipe, LARGE_PIPE);
      }
    }
    if (!spliceRefused) {
      int flags = Constants.SPLICE_F_MOVE | Constants.SPLICE_F_NONBLOCK;
      long count = posix.splice(source, pipe, CHUNK, flags);
      spliceRefused = count == -Errno.EINVAL;
      if (!spliceRefused) {
        return count;
      }
    }
    if (held.capacity() == 0) {
      held = ByteBuffer.allocate(HELD);
    }
    long count = posix.read(source, held.clear());
    held.flip();
    return count;
  }

  /** Either side may be the one that would block; epoll has just told about the pipe, or will. */
  private Step blocked() {
    return neverBlocks || !isPipeWritable() ? Step.FULL : awaitSource();
  }

  private Step awaitSource() {
    sourceReady = false;
    if (sourceWatch == null) {
      try {
        sourceWatch =
            loop.watch(source, Constants.EPOLLIN, events -> guard.accept(this::sourceIsReady));
      } catch (PosixException e) {
        if (e.errno() != Errno.EPERM) {
          throw e;
        }
        neverBlocks = true; // what cannot be polled: /dev/zero, /proc
        return Step.FULL;
      }
    } else {
      sourceWatch.want(Constants.EPOLLIN);
    }
    return Step.WAITING;
  }

  private void sourceIsReady() {
    sourceReady = true;
    if (sourceWatch != null) {
      sourceWatch.want(0);
    }
    feed();
  }

  @Override
  void closeSource() {
    if (sourceWatch != null) {
      loop.unwatch(sourceWatch);
    }
    owned.close(source);
  }
}
