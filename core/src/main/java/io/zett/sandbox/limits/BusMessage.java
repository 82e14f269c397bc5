package io.zett.sandbox.limits;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A message that came over D-Bus, as far as this library needs to understand it (D-Bus
 * Specification, "Message Protocol").
 */
final class BusMessage {
  static final int RETURN = 2;
  static final int ERROR = 3;
  static final int SIGNAL = 4;

  /** Before the header's fields: fixed bytes and the length of those fields. */
  static final int FIXED = 16;

  private static final int LARGEST = 1 << 20;
  private static final int MEMBER = 3;
  private static final int ERROR_NAME = 4;
  private static final int REPLY_SERIAL = 5;

  private final int type;
  private final ByteBuffer bytes;
  private int replySerial = -1;
  private @Nullable String member;
  private @Nullable String errorName;

  private BusMessage(int type, ByteBuffer bytes) {
    this.type = type;
    this.bytes = bytes;
  }

  /**
   * The length of the whole message that begins like this.
   *
   * @param beginning at least {@link #FIXED} bytes
   */
  static int length(ByteBuffer beginning) {
    ByteBuffer view = ordered(beginning);
    long body = Integer.toUnsignedLong(view.getInt(4));
    long fields = Integer.toUnsignedLong(view.getInt(12));
    if (body > LARGEST || fields > LARGEST) {
      throw new BusException("a message is too long");
    }
    return Math.toIntExact(padded(FIXED + fields) + body);
  }

  /** Parses exactly one whole message. */
  static BusMessage parse(ByteBuffer whole) {
    ByteBuffer view = ordered(whole);
    BusMessage message = new BusMessage(view.get(1), view);
    int end = FIXED + view.getInt(12);
    view.position(FIXED);
    while (view.position() < end) {
      message.align(8);
      message.field();
    }
    view.position(Math.toIntExact(padded(end)));
    return message;
  }

  private static ByteBuffer ordered(ByteBuffer message) {
    ByteOrder order = message.get(0) == 'B' ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    return message.duplicate().order(order);
  }

  private static long padded(long length) {
    return (length + 7) & ~7L;
  }

  private void field() {
    int code = bytes.get();
    String signature = signature();
    switch (signature) {
      case "s", "o" -> {
        String text = string();
        if (code == MEMBER) {
          member = text;
        } else if (code == ERROR_NAME) {
          errorName = text;
        }
      }
      case "u" -> {
        int number = number();
        if (code == REPLY_SERIAL) {
          replySerial = number;
        }
      }
      case "g" -> signature();
      default -> throw new BusException("a header field of the type " + signature);
    }
  }

  int type() {
    return type;
  }

  /** The serial of the call that this answers, or -1. */
  int replySerial() {
    return replySerial;
  }

  /** What a signal is called. */
  String member() {
    return String.valueOf(member);
  }

  /** What an error is called. */
  String errorName() {
    return String.valueOf(errorName);
  }

  /** The next value of the body, which is an unsigned number. */
  int number() {
    align(4);
    return bytes.getInt();
  }

  /** The next value of the body, which is a text or an object's path. */
  String string() {
    byte[] text = new byte[number()];
    bytes.get(text);
    bytes.get();
    return new String(text, UTF_8);
  }

  /** Whether the body has more values. */
  boolean hasMore() {
    return bytes.hasRemaining();
  }

  private String signature() {
    byte[] text = new byte[Byte.toUnsignedInt(bytes.get())];
    bytes.get(text);
    bytes.get();
    return new String(text, UTF_8);
  }

  private void align(int boundary) {
    bytes.position((bytes.position() + boundary - 1) & -boundary);
  }
}
