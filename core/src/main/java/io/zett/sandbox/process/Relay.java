package io.zett.sandbox.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Hands an output stream on as it comes, on a thread of its own, so that a slow reader holds up its
 * command (as a pipe does) and nobody else. When the stream fails the command's pipe is closed, and
 * the command gets SIGPIPE, as in a shell. The stream is flushed whenever nothing waits; it is not
 * closed.
 */
public final class Relay implements Sink {

  /** Bytes that may wait for the stream. */
  static final int QUEUE = 1 << 20;

  /** What the pump behind wants to know. Called on the relay's thread. */
  interface Listener {
    void roomAgain();

    void failed();

    void finished();
  }

  private final OutputStream stream;
  private final ArrayDeque<byte[]> queue = new ArrayDeque<>();
  private long total; // the loop's
  private int waiting;
  private boolean heldUp;
  private boolean ended;
  private boolean abandoned;
  private @Nullable IOException failure;
  private @Nullable Thread thread;
  private @Nullable Listener listener;

  /** Hands on to this stream. */
  public Relay(OutputStream stream) {
    this.stream = stream;
  }

  @Override
  public long total() {
    return total;
  }

  /** Why the stream did not take everything; null when it did. */
  public synchronized @Nullable IOException failure() {
    return failure;
  }

  synchronized void attach(Listener newListener) {
    if (listener != null) {
      throw new IllegalStateException("a relay serves one command");
    }
    listener = newListener;
  }

  /** Takes a chunk; false when no more should come until there is room again. */
  synchronized boolean accept(ByteBuffer chunk) {
    total += chunk.remaining();
    if (failure != null || abandoned) {
      return true;
    }
    byte[] copy = new byte[chunk.remaining()];
    chunk.get(copy);
    queue.add(copy);
    waiting += copy.length;
    if (thread == null) {
      thread = Thread.ofPlatform().name("zett-sandbox-relay").daemon().start(this::run);
    }
    notifyAll();
    heldUp = waiting >= QUEUE;
    return !heldUp;
  }

  /** Nothing more comes; true when everything has been handed on, else {@code finished} comes. */
  synchronized boolean end() {
    ended = true;
    notifyAll();
    return thread == null;
  }

  /** Gives up on a stream that does not take what waits. */
  synchronized void abandon() {
    abandoned = true;
    queue.clear();
    notifyAll();
    if (thread != null) {
      thread.interrupt();
    }
  }

  private void run() {
    try {
      for (byte[] chunk = next(); chunk != null; chunk = next()) {
        stream.write(chunk);
        if (taken(chunk.length)) {
          stream.flush();
        }
      }
    } catch (IOException e) {
      fail(e);
    } catch (InterruptedException e) {
      fail(new IOException("given up", e));
    } catch (Throwable e) {
      fail(new IOException("the stream failed", e));
    } finally {
      current().finished();
    }
  }

  private synchronized byte @Nullable [] next() throws InterruptedException {
    while (queue.isEmpty() && !ended && !abandoned) {
      wait();
    }
    return queue.poll();
  }

  /** Notes that a chunk is out; whether nothing waits now. */
  private boolean taken(int length) {
    boolean room;
    boolean idle;
    synchronized (this) {
      waiting -= length;
      room = heldUp && waiting <= QUEUE / 2;
      heldUp &= !room;
      idle = queue.isEmpty();
    }
    if (room) {
      current().roomAgain();
    }
    return idle;
  }

  private void fail(IOException cause) {
    synchronized (this) {
      failure = cause;
      queue.clear();
    }
    current().failed();
  }

  private synchronized Listener current() {
    if (listener == null) {
      throw new IllegalStateException("not attached");
    }
    return listener;
  }
}
