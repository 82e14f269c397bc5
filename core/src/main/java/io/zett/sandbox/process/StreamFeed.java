package io.zett.sandbox.process;

import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;

/**
 * What a stream gives, read on a daemon thread, two chunks ahead: one is written while the next is
 * read. Chunks become large, and lie outside of the heap, once a small one was filled. The thread
 * ends with the command; one that sits in a read that cannot be interrupted ends when that returns.
 */
final class StreamFeed extends Feed {

  private static final int SMALL_CHUNK = 1 << 13;
  private static final int LARGE_CHUNK = 1 << 17;
  private static final int AHEAD = 2;

  private final InputStream stream;
  private final boolean terminal;
  private final Consumer<IOException> failed;
  private final BlockingQueue<ByteBuffer> free = new ArrayBlockingQueue<>(AHEAD);
  private final Deque<ByteBuffer> filled = new ArrayDeque<>(AHEAD);
  private final Thread reader;
  private boolean enlarged;
  private boolean sourceEnded;
  private volatile boolean abandoned;

  /**
   * A feed that has not begun.
   *
   * @param terminal whether it is written into a terminal, which answers with {@code EIO} once
   *     nobody has it open
   */
  StreamFeed(
      EventLoop loop,
      Posix posix,
      DescriptorSet owned,
      int pipe,
      Consumer<Runnable> guard,
      InputStream stream,
      boolean terminal,
      Consumer<IOException> failed) {
    super(loop, posix, owned, pipe, guard);
    this.stream = stream;
    this.terminal = terminal;
    this.failed = failed;
    reader = Thread.ofPlatform().name("zett-sandbox-input").daemon().unstarted(this::read);
  }

  @Override
  Step step() {
    if (reader.getState() == Thread.State.NEW) {
      reader.start();
    }
    while (!filled.isEmpty()) {
      ByteBuffer chunk = filled.getFirst();
      if (chunk.isDirect() && !enlarged) {
        enlarged = true;
        posix.setPipeSize(pipe, LARGE_PIPE);
      }
      long count = posix.write(pipe, chunk);
      if (count < 0) {
        return terminal && count == -Errno.EIO ? Step.FINISHED : stopped(count);
      }
      if (!chunk.hasRemaining()) {
        free.add(filled.removeFirst());
      }
    }
    return sourceEnded ? Step.FINISHED : Step.WAITING;
  }

  /** On the reader's thread. */
  private void read() {
    try {
      for (int i = 0; i < AHEAD; i++) {
        free.add(ByteBuffer.allocate(SMALL_CHUNK));
      }
      byte[] staging = {};
      boolean large = false;
      while (!abandoned) {
        ByteBuffer chunk = free.take();
        if (large && !chunk.isDirect()) {
          chunk = ByteBuffer.allocateDirect(LARGE_CHUNK);
          staging = staging.length == 0 ? new byte[LARGE_CHUNK] : staging;
        }
        byte[] into = chunk.isDirect() ? staging : chunk.array();
        int count = 0;
        while (count == 0 && !abandoned) {
          count = stream.read(into);
        }
        if (count <= 0) {
          break;
        }
        large |= count == into.length;
        ByteBuffer next =
            chunk.isDirect()
                ? chunk.clear().put(staging, 0, count).flip()
                : chunk.clear().limit(count);
        hop(() -> filled.add(next));
      }
      hop(() -> sourceEnded = true);
    } catch (InterruptedException e) {
      // The command has ended, or somebody ends this thread: the input is over.
      hop(() -> sourceEnded = true);
    } catch (IOException e) {
      fail(e);
    } catch (Throwable e) {
      fail(new IOException("the input stream failed", e));
    }
  }

  private void fail(IOException cause) {
    if (!abandoned) {
      loop.offer(
          () ->
              guard.accept(
                  () -> {
                    if (!isClosed()) {
                      failed.accept(cause);
                    }
                  }));
    }
  }

  private void hop(Runnable change) {
    loop.offer(
        () ->
            guard.accept(
                () -> {
                  change.run();
                  feed();
                }));
  }

  @Override
  void closeSource() {
    abandoned = true;
    reader.interrupt();
  }
}
