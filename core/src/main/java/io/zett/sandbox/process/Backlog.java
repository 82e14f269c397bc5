package io.zett.sandbox.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the head of an output stream as {@link Capture} does, and hands the stream on to a reader
 * as it comes.
 *
 * <p>Once it is read, nothing is lost: a slow reader holds up its command, as a pipe does, when
 * what waits for it reaches the cap, and nobody else. Until then nobody may be there who reads at
 * all, so what comes beyond the cap is counted and let go, and a reader that comes later is told so
 * at that place by an {@link IOException}, not given a stream with a gap. The loop writes; one
 * thread at a time reads.
 */
public final class Backlog implements Sink {

  /** What the pump behind wants to know. Called on the reader's thread. */
  interface Listener {
    void roomAgain();
  }

  private final Capture head;
  private final long cap;
  private final ArrayDeque<ByteBuffer> waiting = new ArrayDeque<>();
  private final Reader reader = new Reader();
  private @Nullable Listener listener;
  private long waitingBytes;
  private long lost;
  private boolean readFrom;
  private boolean heldUp;
  private boolean ended;
  private boolean unwanted;

  /** Keeps at most {@code cap} bytes of the head, and about as many for the reader. */
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

  /** Bytes that came before anybody read, and were too many to wait. */
  public synchronized long lost() {
    return lost;
  }

  /** What the command writes, as it comes; its reads can be interrupted. */
  public InputStream reader() {
    return reader;
  }

  synchronized void attach(Listener newListener) {
    listener = newListener;
  }

  /**
   * Takes a chunk; false when no more should come until there is room again.
   *
   * @param last whether the command is dead, and what is left in its pipe is all there will be
   */
  boolean accept(ByteBuffer chunk, boolean last) {
    ByteBuffer rest = chunk.duplicate();
    head.accept(chunk);
    synchronized (this) {
      if (unwanted) {
        return true;
      }
      boolean unread = !readFrom && !last;
      long room = lost > 0 ? 0 : unread ? cap - waitingBytes : Long.MAX_VALUE;
      int length = (int) Math.min(rest.remaining(), room);
      lost += rest.remaining() - length;
      if (length > 0) {
        byte[] copy = new byte[length];
        rest.get(copy);
        waiting.add(ByteBuffer.wrap(copy));
        waitingBytes += length;
        notifyAll();
      }
      heldUp = readFrom && lost == 0 && !last && waitingBytes >= cap;
      return !heldUp;
    }
  }

  /** Nothing more comes; twice is harmless. */
  public synchronized void end() {
    ended = true;
    notifyAll();
  }

  private int take(byte[] to, int offset, int length) throws IOException {
    Listener told = null;
    int taken;
    synchronized (this) {
      taken = takeNow(to, offset, length);
      if (heldUp && waitingBytes <= cap / 2) {
        heldUp = false;
        told = listener;
      }
    }
    if (told != null) {
      told.roomAgain();
    }
    return taken;
  }

  private int takeNow(byte[] to, int offset, int length) throws IOException {
    readFrom = true;
    while (waiting.isEmpty() && !ended && !unwanted && lost == 0) {
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
    if (taken == 0 && lost > 0) {
      throw new IOException(
          lost
              + " bytes came before anybody read this stream and were more than "
              + cap
              + " (maxOutputBytes): read sooner, or allow more");
    }
    return taken == 0 ? -1 : taken;
  }

  private final class Reader extends TakingStream {
    @Override
    protected int take(byte[] to, int offset, int length) throws IOException {
      return Backlog.this.take(to, offset, length);
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
      Listener told;
      synchronized (Backlog.this) {
        unwanted = true;
        waiting.clear();
        waitingBytes = 0;
        told = heldUp ? listener : null;
        heldUp = false;
        Backlog.this.notifyAll();
      }
      if (told != null) {
        told.roomAgain();
      }
    }
  }
}
