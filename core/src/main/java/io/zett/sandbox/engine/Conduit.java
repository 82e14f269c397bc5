package io.zett.sandbox.engine;

import io.zett.sandbox.process.TakingStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * From whoever writes to a command's standard input to the feed that passes it on. At most 64 KiB
 * wait in it, as in a pipe. Unlike {@link java.io.PipedInputStream} it does not mind which threads
 * come and go. Thread-safe.
 */
final class Conduit {
  private static final int CAPACITY = 1 << 16;

  private final ByteBuffer bytes = ByteBuffer.allocate(CAPACITY).flip();
  private final InputStream source = new Source();
  private final OutputStream target = new Target();
  private boolean ended;
  private boolean broken;

  /** What was written, until the writer closes. */
  InputStream source() {
    return source;
  }

  /** Where to write; after the command's end that fails. */
  OutputStream target() {
    return target;
  }

  /** Nobody reads any more. */
  synchronized void breakOff() {
    broken = true;
    notifyAll();
  }

  private void pause() throws InterruptedIOException {
    try {
      wait();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  private synchronized int take(byte[] to, int offset, int length) throws IOException {
    while (!bytes.hasRemaining() && !ended && !broken) {
      pause();
    }
    int count = Math.min(length, bytes.remaining());
    bytes.get(to, offset, count);
    notifyAll();
    return count == 0 ? -1 : count;
  }

  private synchronized void put(byte[] from, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      while (bytes.remaining() == CAPACITY && !ended && !broken) {
        pause();
      }
      check();
      bytes.compact();
      int count = Math.min(length - done, bytes.remaining());
      bytes.put(from, offset + done, count);
      bytes.flip();
      done += count;
      notifyAll();
    }
  }

  private void check() throws IOException {
    if (broken) {
      throw new IOException("the command has ended");
    }
    if (ended) {
      throw new IOException("the stream is closed");
    }
  }

  private final class Source extends TakingStream {
    @Override
    protected int take(byte[] to, int offset, int length) throws IOException {
      return Conduit.this.take(to, offset, length);
    }
  }

  private final class Target extends OutputStream {
    @Override
    public void write(int b) throws IOException {
      put(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
      Objects.checkFromIndexSize(offset, length, from.length);
      put(from, offset, length);
    }

    /** What was written goes on its way by itself; fails when nobody reads it any more. */
    @Override
    public void flush() throws IOException {
      synchronized (Conduit.this) {
        if (broken && !ended) {
          throw new IOException("the command has ended");
        }
      }
    }

    /** The command's input ends; twice is harmless. */
    @Override
    public void close() {
      synchronized (Conduit.this) {
        ended = true;
        Conduit.this.notifyAll();
      }
    }
  }
}
