package io.zett.sandbox.process;

import io.zett.sandbox.posix.Posix;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * What a stream gives, read on a daemon thread, a chunk ahead. The thread ends with the command;
 * one that sits in a read that cannot be interrupted ends when that returns.
 */
final class StreamFeed extends Feed {

  private static final int CHUNK = 1 << 16;

  private final InputStream stream;
  private final Consumer<IOException> failed;
  private final Semaphore wanted = new Semaphore(1);
  private final Thread reader;
  private ByteBuffer chunk = ByteBuffer.allocate(0);
  private boolean sourceEnded;
  private volatile boolean abandoned;

  StreamFeed(
      EventLoop loop,
      Posix posix,
      DescriptorSet owned,
      int pipe,
      Consumer<Runnable> guard,
      InputStream stream,
      Consumer<IOException> failed) {
    super(loop, posix, owned, pipe, guard);
    this.stream = stream;
    this.failed = failed;
    reader = Thread.ofPlatform().name("zett-sandbox-input").daemon().unstarted(this::read);
  }

  @Override
  Step step() {
    if (reader.getState() == Thread.State.NEW) {
      reader.start();
    }
    while (chunk.hasRemaining()) {
      long count = posix.write(pipe, chunk);
      if (count < 0) {
        return stopped(count);
      }
      if (!chunk.hasRemaining()) {
        wanted.release();
      }
    }
    return sourceEnded ? Step.FINISHED : Step.WAITING;
  }

  /** On the reader's thread. */
  private void read() {
    try {
      while (!abandoned) {
        wanted.acquire();
        byte[] bytes = new byte[CHUNK];
        int count = abandoned ? -1 : stream.read(bytes);
        if (count < 0) {
          break;
        } else if (count == 0) {
          wanted.release();
          continue;
        }
        ByteBuffer next = ByteBuffer.wrap(bytes, 0, count);
        hop(() -> chunk = next);
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
