package io.zett.sandbox.engine;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.process.EventLoop;
import io.zett.sandbox.process.Watch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel tells about files (inotify(7)), for all commands of this JVM together: a user may
 * have only 128 inotify instances by default ({@code fs.inotify.max_user_instances}). Listeners are
 * called on the event loop, or by whoever drains. Thread-safe.
 */
final class FileNotices {
  private static final int HEADER = 16;

  /** How long it waits when this JVM has no memory left. */
  private static final long PAUSE_NANOS = 1_000_000;

  /** Who wants to know. */
  @FunctionalInterface
  interface Listener {
    /**
     * Something happened.
     *
     * @param mask {@code IN_} bits; {@code IN_Q_OVERFLOW} alone when something was missed
     * @param name the entry of a watched directory, in Latin-1; empty for what is watched itself
     */
    void noticed(int mask, String name);
  }

  private final Posix posix;
  private final EventLoop loop;
  private final int inotify;
  private final ByteBuffer buffer =
      ByteBuffer.allocateDirect(1 << 16).order(ByteOrder.nativeOrder());
  private final Map<Integer, List<Listener>> listeners = new HashMap<>();
  private @Nullable Watch watch;
  private boolean closed;
  private boolean missed; // guarded by the buffer

  /**
   * Begins.
   *
   * @throws io.zett.sandbox.posix.PosixException if the user has too many instances
   */
  FileNotices(Posix posix, EventLoop loop) {
    this.posix = posix;
    this.loop = loop;
    inotify = posix.inotifyInit();
    loop.execute(this::begin);
  }

  private synchronized void begin() {
    if (!closed) {
      watch = loop.watch(inotify, Constants.EPOLLIN, _ -> read());
    }
  }

  /**
   * Listens to a path; links are not followed.
   *
   * @return the number for {@link #remove}
   * @throws io.zett.sandbox.posix.PosixException if it is not there or the user watches too much
   */
  synchronized int add(UnixPath path, int mask, Listener listener) {
    int flags = Constants.IN_DONT_FOLLOW | Constants.IN_MASK_ADD;
    int number = posix.inotifyAddWatch(inotify, path, mask | flags);
    listeners.computeIfAbsent(number, _ -> new ArrayList<>()).add(listener);
    return number;
  }

  synchronized void remove(int number, Listener listener) {
    List<Listener> left = listeners.get(number);
    if (left != null && left.remove(listener) && left.isEmpty()) {
      listeners.remove(number);
      if (!closed) {
        posix.inotifyRemoveWatch(inotify, number);
      }
    }
  }

  /** Tells what has happened until now, before it returns: the event loop may be busy. */
  void drain() {
    read();
  }

  private void read() {
    synchronized (buffer) {
      while (isOpen() && (missed ? catchUp() : readSome())) {
        // Until there is no more.
      }
    }
  }

  /** What was taken from the kernel and not told any more, for lack of memory: look all of you. */
  private boolean catchUp() {
    try {
      dispatch(-1, Constants.IN_Q_OVERFLOW, "");
      missed = false;
    } catch (OutOfMemoryError e) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return true;
  }

  private synchronized boolean isOpen() {
    return !closed;
  }

  private boolean readSome() {
    buffer.clear();
    if (posix.read(inotify, buffer) <= 0) {
      return false;
    }
    buffer.flip();
    try {
      while (buffer.remaining() >= HEADER) {
        int number = buffer.getInt();
        int mask = buffer.getInt();
        buffer.getInt(); // the cookie that joins the two halves of a move
        byte[] name = new byte[buffer.getInt()];
        buffer.get(name);
        dispatch(number, mask, text(name));
      }
    } catch (OutOfMemoryError e) {
      missed = true;
    }
    return true;
  }

  private void dispatch(int number, int mask, String name) {
    List<Listener> told = new ArrayList<>();
    synchronized (this) {
      if ((mask & Constants.IN_Q_OVERFLOW) != 0) {
        listeners.values().forEach(told::addAll);
      } else {
        told.addAll(listeners.getOrDefault(number, List.of()));
        if ((mask & Constants.IN_IGNORED) != 0) {
          listeners.remove(number);
        }
      }
    }
    told.forEach(listener -> listener.noticed(mask, name));
  }

  /** The name ends at the first of the NULs that fill it up. */
  private static String text(byte[] name) {
    int length = 0;
    while (length < name.length && name[length] != 0) {
      length++;
    }
    return new String(name, 0, length, StandardCharsets.ISO_8859_1);
  }

  /** Ends it; on the loop, or when the loop has ended. */
  void close() {
    synchronized (buffer) {
      synchronized (this) {
        closed = true;
        listeners.clear();
        if (watch != null) {
          loop.unwatch(watch);
        }
        posix.close(inotify);
      }
    }
  }
}
