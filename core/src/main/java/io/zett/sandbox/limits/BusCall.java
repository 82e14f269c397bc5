package io.zett.sandbox.limits;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A method call to be sent over D-Bus, little-endian, written from its first to its last argument
 * (D-Bus Specification, "Marshaling").
 */
final class BusCall {
  private static final int PATH = 1;
  private static final int INTERFACE = 2;
  private static final int MEMBER = 3;
  private static final int DESTINATION = 6;
  private static final int SIGNATURE = 8;
  private static final byte METHOD_CALL = 1;
  private static final byte PROTOCOL = 1;

  private final BusCall.Address address;
  private final String signature;
  private ByteBuffer bytes = ByteBuffer.allocate(512).order(ByteOrder.LITTLE_ENDIAN);

  /** Who is called, and for what. */
  record Address(String destination, String path, String face, String member) {}

  BusCall(Address address, String signature) {
    this.address = address;
    this.signature = signature;
  }

  BusCall string(String text) {
    byte[] utf8 = text.getBytes(UTF_8);
    number(utf8.length);
    room(utf8.length + 1);
    bytes.put(utf8).put((byte) 0);
    return this;
  }

  BusCall number(int value) {
    align(4);
    room(4);
    bytes.putInt(value);
    return this;
  }

  BusCall signature(String text) {
    byte[] ascii = text.getBytes(UTF_8);
    room(ascii.length + 2);
    bytes.put((byte) ascii.length).put(ascii).put((byte) 0);
    return this;
  }

  /** The beginning of a structure. */
  BusCall structure() {
    align(8);
    return this;
  }

  /** An array whose elements are written by {@code elements} and begin at such a boundary. */
  BusCall array(int boundary, Runnable elements) {
    number(0);
    int lengthAt = bytes.position() - 4;
    align(boundary);
    int begin = bytes.position();
    elements.run();
    bytes.putInt(lengthAt, bytes.position() - begin);
    return this;
  }

  /** The whole message. */
  ByteBuffer message(int serial) {
    byte[] body = Arrays.copyOf(bytes.array(), bytes.position());
    BusCall header = new BusCall(address, "");
    header.room(BusMessage.FIXED);
    header.bytes.put((byte) 'l').put(METHOD_CALL).put((byte) 0).put(PROTOCOL);
    header.bytes.putInt(body.length).putInt(serial);
    header.array(8, () -> header.fields(signature));
    header.align(8);
    header.room(body.length);
    header.bytes.put(body);
    return header.bytes.flip();
  }

  private void fields(String ofBody) {
    field(PATH, "o").string(address.path());
    field(INTERFACE, "s").string(address.face());
    field(MEMBER, "s").string(address.member());
    field(DESTINATION, "s").string(address.destination());
    if (!ofBody.isEmpty()) {
      field(SIGNATURE, "g").signature(ofBody);
    }
  }

  private BusCall field(int code, String type) {
    structure();
    room(1);
    bytes.put((byte) code);
    return signature(type);
  }

  private void align(int boundary) {
    room(boundary);
    while (bytes.position() % boundary != 0) {
      bytes.put((byte) 0);
    }
  }

  private void room(int more) {
    if (bytes.remaining() < more) {
      ByteBuffer larger =
          ByteBuffer.allocate(2 * bytes.capacity() + more).order(ByteOrder.LITTLE_ENDIAN);
      bytes = larger.put(bytes.flip());
    }
  }
}
