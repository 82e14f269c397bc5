package io.zett.sandbox.limits;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a message bus. Whatever takes longer than {@link #PATIENCE} fails. Thread-safe:
 * one call at a time.
 */
final class Bus implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final String NAME = "org.freedesktop.DBus";
  private static final String PATH = "/org/freedesktop/DBus";
  private static final int LONGEST_LINE = 1024;

  private final SocketChannel channel;
  private final Selector selector;
  private ByteBuffer received = ByteBuffer.allocate(16 * 1024).flip();
  private int serial;

  private Bus(SocketChannel channel, Selector selector) {
    this.channel = channel;
    this.selector = selector;
  }

  /**
   * Connects and introduces itself.
   *
   * @throws BusException if there is no bus, or it does not want this user
   */
  static Bus connect(Path socket, int uid) {
    SocketChannel channel = null;
    Selector selector = null;
    try {
      channel = SocketChannel.open(StandardProtocolFamily.UNIX);
      channel.connect(UnixDomainSocketAddress.of(socket));
      channel.configureBlocking(false);
      selector = Selector.open();
      channel.register(selector, SelectionKey.OP_READ);
      Bus bus = new Bus(channel, selector);
      bus.introduce(uid);
      return bus;
    } catch (IOException | BusException e) {
      closeQuietly(channel);
      closeQuietly(selector);
      throw new BusException("D-Bus at " + socket + ": " + e.getMessage(), e);
    }
  }

  private void introduce(int uid) throws IOException {
    String name = HexFormat.of().formatHex(Integer.toString(uid).getBytes(US_ASCII));
    long deadline = deadline();
    send(ascii("\0AUTH EXTERNAL " + name + "\r\n"), deadline);
    String answer = line(deadline);
    if (!answer.startsWith("OK ")) {
      throw new BusException("the bus says " + answer);
    }
    send(ascii("BEGIN\r\n"), deadline);
    call(new BusCall(bus("Hello"), ""));
  }

  /** Signals that this rule describes shall be sent here. */
  void addMatch(String rule) {
    call(new BusCall(bus("AddMatch"), "s").string(rule));
  }

  private static BusCall.Address bus(String member) {
    return new BusCall.Address(NAME, PATH, NAME, member);
  }

  /**
   * Calls and waits for the answer.
   *
   * @throws BusException if there is none in time, or an error
   */
  synchronized BusMessage call(BusCall call) {
    long deadline = deadline();
    int number = ++serial;
    send(call.message(number), deadline);
    BusMessage answer = await(message -> message.replySerial() == number, deadline);
    if (answer.type() == BusMessage.ERROR) {
      String text = answer.hasMore() ? answer.string() : "";
      throw new BusException(answer.errorName() + ": " + text);
    }
    return answer;
  }

  /**
   * Waits for a signal; others that come meanwhile are lost.
   *
   * @throws BusException if it does not come in time
   */
  synchronized void awaitSignal(String member, Predicate<BusMessage> wanted) {
    await(
        message ->
            message.type() == BusMessage.SIGNAL
                && message.member().equals(member)
                && wanted.test(message),
        deadline());
  }

  private static long deadline() {
    return System.nanoTime() + PATIENCE.toNanos();
  }

  private BusMessage await(Predicate<BusMessage> wanted, long deadline) {
    while (true) {
      fill(BusMessage.FIXED, deadline);
      int length = BusMessage.length(received.slice());
      fill(length, deadline);
      BusMessage message = BusMessage.parse(received.slice(received.position(), length));
      received.position(received.position() + length);
      if (wanted.test(message)) {
        return message;
      }
    }
  }

  private String line(long deadline) {
    StringBuilder text = new StringBuilder();
    while (!text.toString().endsWith("\r\n")) {
      fill(1, deadline);
      text.append((char) received.get());
      if (text.length() > LONGEST_LINE) {
        throw new BusException("an endless line");
      }
    }
    return text.toString().strip();
  }

  private void send(ByteBuffer bytes, long deadline) {
    try {
      while (channel.write(bytes) >= 0 && bytes.hasRemaining()) {
        // A socket that takes nothing for so long belongs to nobody who reads.
        if (System.nanoTime() - deadline > 0) {
          throw new BusException("it takes nothing");
        }
        Thread.onSpinWait();
      }
    } catch (IOException e) {
      throw new BusException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Reads until so many bytes are there. */
  private void fill(int count, long deadline) {
    try {
      while (received.remaining() < count) {
        if (received.capacity() - received.position() < count) {
          int capacity = Math.max(received.capacity(), count);
          received = ByteBuffer.allocate(capacity).put(received).flip();
        }
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          throw new BusException("no answer within " + PATIENCE.toSeconds() + " s");
        }
        selector.select(Math.max(1, left / 1_000_000));
        selector.selectedKeys().clear();
        int end = received.limit();
        received.limit(received.capacity());
        ByteBuffer rest = received.slice(end, received.capacity() - end);
        int got = channel.read(rest);
        received.limit(end + Math.max(got, 0));
        if (got < 0) {
          throw new BusException("the bus has hung up");
        }
      }
    } catch (IOException e) {
      throw new BusException(String.valueOf(e.getMessage()), e);
    }
  }

  private static ByteBuffer ascii(String text) {
    return ByteBuffer.wrap(text.getBytes(US_ASCII));
  }

  @Override
  public void close() {
    closeQuietly(channel);
    closeQuietly(selector);
  }

  private static void closeQuietly(@Nullable AutoCloseable open) {
    try {
      if (open != null) {
        open.close();
      }
    } catch (Exception e) {
      // Nothing is lost with a connection that is not wanted any more.
    }
  }
}
