package io.zett.sandbox.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Objects;

/**
 * Keeps the head of an output stream as {@link Capture} does, and hands the stream on to a reader
 * as it comes. A slow reader holds up nobody: what it has not taken yet is kept up to the same cap,
 * and what comes while that much waits is counted and lost to it. The loop writes; one thread at a
 * time reads.
 */
public final class Backlog implements Sink {

  private final Capture head;
  private final long cap;
  private final ArrayDeque<ByteBuffer> waiting = new ArrayDeque<>();
  private final Reader reader = new Reader();
  private long waitingBytes;
  private long lost;
  private boolean ended;
  private boolean unwanted;

  /** Keeps at most {@code cap} bytes of the head, and as many for the reader. */
  public Backlog(long cap) {
    this.cap = cap;
    head = new Capture(cap);
  }

  /** The head; to be read once the command has ended. */
  public Capture head() {
    return head;
  }

  @Override
  public long total() {
    return head.total();
  }

  /** Bytes that the reader was too slow for. */
  public synchronized long lost() {
    return lost;
  }

  /** What the command writes, as it comes; its reads can be interrupted. */
  public InputStream reader() {
    return reader;
  }

  void accept(ByteBuffer chunk) {
    ByteBuffer rest = chunk.duplicate();
    head.accept(chunk);
    synchronized (this) {
      int length = (int) Math.min(rest.remaining(), unwanted ? 0 : cap - waitingBytes);
      lost += unwanted ? 0 : rest.remaining() - length;
      if (length > 0) {
        byte[] copy = new byte[length];
        rest.get(copy);
        waiting.add(ByteBuffer.wrap(copy));
        waitingBytes += length;
        notifyAll();
      }
    }
  }

  /** Nothing more comes; twice is harmless. */
  public synchronized void end() {
    ended = true;
    notifyAll();
  }

  private synchronized int take(byte[] to, int offset, int length) throws IOException {
    while (waiting.isEmpty() && !ended && !unwanted) {
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while waiting for output");
      }
    }
    if (unwanted) {
      throw new IOException("the stream is closed");
    }
    int taken = 0;
    while (taken < length && !waiting.isEmpty()) {
      ByteBuffer first = waiting.getFirst();
      int count = Math.min(length - taken, first.remaining());
      first.get(to, offset + taken, count);
      taken += count;
      if (!first.hasRemaining()) {
        waiting.removeFirst();
      }
    }
    waitingBytes -= taken;
    return taken == 0 ? -1 : taken;
  }

  private final class Reader extends InputStream {
    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return take(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      Objects.checkFromIndexSize(offset, length, to.length);
      return length == 0 ? 0 : take(to, offset, length);
    }

    @Override
    public int available() {
      synchronized (Backlog.this) {
        return (int) Math.min(Integer.MAX_VALUE, waitingBytes);
      }
    }

    /** What comes is not kept for anybody any more; the command does not notice. */
    @Override
    public void close() {
      synchronized (Backlog.this) {
        unwanted = true;
        waiting.clear();
        waitingBytes = 0;
        Backlog.this.notifyAll();
      }
    }
  }
}
