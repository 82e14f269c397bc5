package io.zett.sandbox.process;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.Received;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/** The caller's end of the control socket: records from zett-init, orders to it. */
final class Control {

  /**
   * A record of zett-init's.
   *
   * @param sender the pid of the process that sent it
   * @param descriptor what came with it; -1 without
   */
  record Message(int type, long a, long b, long c, int sender, int descriptor) {}

  static final int READY = 1;
  static final int STARTED = 2;
  static final int FAILED = 3;
  static final int EXIT = 4;
  static final int USAGE = 5;
  static final int EXEC_FAILED = 6;
  static final int TERMINAL_OPEN = 7;

  static final int SIGNAL_COMMAND = 1;
  static final int SIGNAL_ALL = 2;
  static final int END = 3;

  private static final int RECORD = 64;

  /** The end of a command is two. */
  private static final int AT_ONCE = 2;

  private final EventLoop loop;
  private final Posix posix;
  private final DescriptorSet owned;
  private final int fd;
  private final Consumer<Message> received;
  private final Runnable ended;
  private final Watch watch;
  private final ByteBuffer incoming =
      ByteBuffer.allocate(AT_ONCE * RECORD).order(ByteOrder.nativeOrder());
  private final ArrayDeque<Outgoing> outgoing = new ArrayDeque<>();
  private boolean closed;

  private record Outgoing(ByteBuffer bytes, Runnable sent) {}

  Control(
      EventLoop loop,
      Posix posix,
      DescriptorSet owned,
      int fd,
      Consumer<Runnable> guard,
      Consumer<Message> received,
      Runnable ended) {
    this.loop = loop;
    this.posix = posix;
    this.owned = owned;
    this.fd = fd;
    this.received = received;
    this.ended = ended;
    watch = loop.watch(fd, Constants.EPOLLIN, events -> guard.accept(() -> ready(events)));
  }

  boolean isEnded() {
    return closed;
  }

  private void ready(int events) {
    if ((events & Constants.EPOLLOUT) != 0) {
      flush();
    }
    if ((events & ~Constants.EPOLLOUT) != 0) {
      receive();
    }
  }

  /** Takes every record that has arrived by now. */
  void receive() {
    while (!closed) {
      Received got = posix.receiveWithCredentials(fd, incoming);
      if (got.count() == -Errno.EAGAIN) {
        return;
      }
      throwIfRefused("recvmsg", got.count());
      if (got.count() <= 0) {
        close(); // a socket that broke is a zett-init that is gone
        ended.run();
        return;
      }
      boolean drained = incoming.hasRemaining();
      deliver(got.pid(), got.descriptor() < 0 ? -1 : owned.add(got.descriptor()));
      if (drained) {
        return; // an end-of-file behind it is told by epoll
      }
    }
  }

  private void deliver(int sender, int descriptor) {
    incoming.flip();
    try {
      while (incoming.remaining() >= RECORD) {
        int at = incoming.position();
        incoming.position(at + RECORD);
        received.accept(
            new Message(
                (int) incoming.getLong(at),
                incoming.getLong(at + 8),
                incoming.getLong(at + 16),
                incoming.getLong(at + 24),
                sender,
                descriptor));
      }
    } finally {
      incoming.compact(); // also when what was received is reason to throw
    }
  }

  /** Whether the other side is gone, although what it said before may still be unread. */
  boolean isHungUp() {
    long count =
        posix.recv(fd, ByteBuffer.allocate(1), Constants.MSG_PEEK | Constants.MSG_DONTWAIT);
    if (count == -Errno.EAGAIN) {
      return false;
    }
    throwIfRefused("recvfrom", count);
    return count <= 0;
  }

  /**
   * Only an error that says so means that nobody is there: zett-init would wait for ever for what a
   * lack of memory kept from it.
   */
  private static void throwIfRefused(String call, long count) {
    if (count < 0
        && count != -Errno.EPIPE
        && count != -Errno.ECONNRESET
        && count != -Errno.ENOTCONN) {
      throw new PosixException((int) -count, call, "the control socket");
    }
  }

  /** Sends bytes after all that was sent before; {@code sent} is run when they are on their way. */
  void send(byte[] bytes, Runnable sent) {
    outgoing.add(new Outgoing(ByteBuffer.wrap(bytes), sent));
    flush();
  }

  /** Sends an order. */
  void send(int type, long value) {
    ByteBuffer order = ByteBuffer.allocate(16).order(ByteOrder.nativeOrder());
    send(order.putLong(type).putLong(value).array(), () -> {});
  }

  private void flush() {
    while (!closed && !outgoing.isEmpty()) {
      Outgoing first = outgoing.getFirst();
      int flags = Constants.MSG_DONTWAIT | Constants.MSG_NOSIGNAL;
      long count = posix.send(fd, first.bytes(), flags);
      if (count == -Errno.EAGAIN) {
        watch.want(Constants.EPOLLIN | Constants.EPOLLOUT);
        return;
      }
      throwIfRefused("sendto", count);
      if (count < 0) {
        outgoing.clear(); // nobody listens: the end-of-file tells the rest
        break;
      }
      if (!first.bytes().hasRemaining()) {
        outgoing.removeFirst();
        first.sent().run();
      }
    }
    if (!closed) {
      watch.want(Constants.EPOLLIN);
    }
  }

  void close() {
    if (!closed) {
      closed = true;
      loop.unwatch(watch);
      owned.close(fd);
    }
  }
}
