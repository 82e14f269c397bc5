package io.zett.sandbox.process;

import io.zett.sandbox.posix.Posix;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Bytes that are all there; a few fit the pipe before the command even starts. */
final class BytesFeed extends Feed {

  private final ByteBuffer bytes;
  private boolean enlarged;

  BytesFeed(
      EventLoop loop,
      Posix posix,
      DescriptorSet owned,
      int pipe,
      Consumer<Runnable> guard,
      byte[] bytes) {
    super(loop, posix, owned, pipe, guard);
    this.bytes = ByteBuffer.wrap(bytes);
  }

  @Override
  Step step() {
    if (!enlarged && bytes.remaining() > LARGE_PIPE) {
      enlarged = true;
      posix.setPipeSize(pipe, LARGE_PIPE);
    }
    int end = (int) Math.min(bytes.limit(), (long) bytes.position() + TURN);
    while (bytes.position() < end) {
      ByteBuffer chunk = loop.scratch();
      int length = Math.min(chunk.remaining(), bytes.remaining());
      chunk.put(bytes.slice(bytes.position(), length)).flip();
      long count = posix.write(pipe, chunk);
      if (count < 0) {
        return stopped(count);
      }
      bytes.position(bytes.position() + (int) count);
    }
    return bytes.hasRemaining() ? Step.FULL : Step.FINISHED; // FULL: epoll says at once if not
  }

  @Override
  void closeSource() {
    bytes.position(bytes.limit());
  }
}
