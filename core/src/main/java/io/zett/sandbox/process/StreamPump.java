package io.zett.sandbox.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Reads a stream to its end on a thread of its own, where there is no event loop to do it. {@link
 * #finish} gives up on a stream that does not end although its command is dead: whoever was not
 * found may hold the pipe. What comes afterwards is thrown away. Thread-safe.
 */
public final class StreamPump {
  private static final int CHUNK = 1 << 16;

  private final InputStream source;
  private final Sink sink;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean heldUp;
  private boolean failed;
  private boolean ended;
  private boolean relayed;
  private boolean dead;

  private StreamPump(InputStream source, Sink sink) {
    this.source = source;
    this.sink = sink;
    this.relayed = !(sink instanceof Relay);
    switch (sink) {
      case Backlog backlog -> backlog.attach(this::roomAgain);
      case Relay relay -> relay.attach(new Listening());
      case Capture _ -> {}
    }
    thread =
        Thread.ofPlatform()
            .name("zett-sandbox-output")
            .daemon()
            .inheritInheritableThreadLocals(false)
            .unstarted(this::pump);
    thread.setContextClassLoader(null);
  }

  /**
   * Begins.
   *
   * @param source is closed at its end
   * @throws OutOfMemoryError if no thread can be had
   */
  public static StreamPump start(InputStream source, Sink sink) {
    StreamPump pump = new StreamPump(source, sink);
    pump.thread.start();
    return pump;
  }

  /**
   * The command is dead: waits until what it wrote has been read and handed on.
   *
   * @param patienceNanos how long a stream may take that does not end
   * @param givesUp whether a reader that does not take what waits for it is not waited for either
   */
  public void finish(long patienceNanos, boolean givesUp) throws InterruptedException {
    lock.lock();
    try {
      dead = true;
      changed.signalAll();
      for (long left = patienceNanos; !ended && left > 0; ) {
        left = changed.awaitNanos(left);
      }
      end();
      for (long left = patienceNanos; !relayed && (!givesUp || left > 0); ) {
        left = changed.awaitNanos(left);
      }
      if (!relayed && sink instanceof Relay relay) {
        relay.abandon();
        relayed = true;
      }
    } finally {
      lock.unlock();
    }
  }

  private void pump() {
    byte[] bytes = new byte[CHUNK];
    try (source) {
      for (int count = source.read(bytes); count >= 0; count = source.read(bytes)) {
        if (!take(ByteBuffer.wrap(bytes, 0, count))) {
          break;
        }
      }
    } catch (IOException e) {
      // The pipe is gone, and with it whoever wrote.
    } finally {
      lock.lock();
      try {
        end();
      } finally {
        lock.unlock();
      }
    }
  }

  /** False when nobody wants more. */
  private boolean take(ByteBuffer chunk) {
    lock.lock();
    try {
      if (ended || failed) {
        return false;
      }
      heldUp =
          switch (sink) {
            case Backlog backlog -> !backlog.accept(chunk, dead);
            case Capture capture -> {
              capture.accept(chunk);
              yield false;
            }
            case Relay relay -> !relay.accept(chunk);
          };
      while (heldUp && !failed && !ended && !(dead && sink instanceof Backlog)) {
        changed.awaitUninterruptibly();
      }
      return !ended && !failed;
    } finally {
      lock.unlock();
    }
  }

  /** With the lock. */
  private void end() {
    if (ended) {
      return;
    }
    ended = true;
    switch (sink) {
      case Backlog backlog -> backlog.end();
      case Relay relay -> relayed |= relay.end();
      case Capture _ -> {}
    }
    changed.signalAll();
  }

  private void roomAgain() {
    change(() -> heldUp = false);
  }

  private void change(Runnable what) {
    lock.lock();
    try {
      what.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Called on the relay's thread. */
  private final class Listening implements Relay.Listener {
    @Override
    public void roomAgain() {
      StreamPump.this.roomAgain();
    }

    @Override
    public void failed() {
      change(() -> failed = true);
    }

    @Override
    public void finished() {
      change(() -> relayed = true);
    }
  }
}
