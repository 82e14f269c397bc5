package io.zett.sandbox.limits;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** D-Bus as its specification has it, against a bus that is made up. */
class BusTest {
  @TempDir Path folder;

  @Test
  void aCallIsMarshalledAsTheSpecificationSays() {
    BusCall call =
        new BusCall(new BusCall.Address("a.b", "/c", "d.e", "F"), "sua(sv)").string("hi").number(7);
    call.array(8, () -> call.structure().string("K").signature("b").number(1));
    String bytes = HexFormat.of().formatHex(array(call.message(1)));
    String header = "6c010001" + "20000000" + "01000000" + "4d000000";
    String fields =
        ("01016f00" + "02000000" + "2f6300" + "0000000000")
            + ("02017300" + "03000000" + "642e6500" + "00000000")
            + ("03017300" + "01000000" + "4600" + "000000000000")
            + ("06017300" + "03000000" + "612e6200" + "00000000")
            + ("08016700" + "07" + "73756128737629" + "00" + "000000");
    String body =
        ("02000000" + "686900" + "00")
            + "07000000"
            + "10000000"
            + ("01000000" + "4b00" + "016200" + "000000" + "01000000");
    assertThat(bytes).isEqualTo(header + fields + body);
  }

  @Test
  void anAnswerIsRead() {
    ByteBuffer bytes = answer(BusMessage.RETURN, 9, "/job/1");
    assertThat(BusMessage.length(bytes)).isEqualTo(bytes.remaining());
    BusMessage message = BusMessage.parse(bytes);
    assertThat(message.type()).isEqualTo(BusMessage.RETURN);
    assertThat(message.replySerial()).isEqualTo(9);
    assertThat(message.string()).isEqualTo("/job/1");
    assertThat(message.hasMore()).isFalse();
  }

  @Test
  void aMessageThatIsTooLongIsRefused() {
    ByteBuffer bytes = answer(BusMessage.RETURN, 9, "x");
    bytes.order(ByteOrder.LITTLE_ENDIAN).putInt(4, 0x7fffffff);
    assertThatThrownBy(() -> BusMessage.length(bytes)).isInstanceOf(BusException.class);
  }

  @Test
  void aBusThatGreetsIsTalkedTo() throws IOException {
    try (FakeBus fake = new FakeBus(folder.resolve("bus"))) {
      CompletableFuture<Void> served =
          CompletableFuture.runAsync(
              () -> {
                fake.expectLine("\0AUTH EXTERNAL 31303030");
                fake.send("OK 1234\r\n");
                fake.expectLine("BEGIN");
                fake.answer(1, "a name"); // to Hello
                fake.answer(2, "done");
              });
      try (Bus bus = Bus.connect(folder.resolve("bus"), 1000)) {
        BusMessage answer = bus.call(new BusCall(new BusCall.Address("a", "/a", "a.b", "C"), ""));
        assertThat(answer.string()).isEqualTo("done");
      }
      served.join();
    }
  }

  @Test
  void aBusThatDoesNotWantThisUserIsAnError() throws IOException {
    try (FakeBus fake = new FakeBus(folder.resolve("bus"))) {
      CompletableFuture.runAsync(
          () -> {
            fake.expectLine("\0AUTH EXTERNAL 30");
            fake.send("REJECTED EXTERNAL\r\n");
          });
      assertThatThrownBy(() -> Bus.connect(folder.resolve("bus"), 0))
          .isInstanceOf(BusException.class)
          .hasMessageContaining("REJECTED");
    }
  }

  @Test
  void aBusThatHangsUpIsAnError() throws IOException {
    try (FakeBus fake = new FakeBus(folder.resolve("bus"))) {
      CompletableFuture.runAsync(
          () -> {
            fake.expectLine("\0AUTH EXTERNAL 30");
            fake.close();
          });
      assertThatThrownBy(() -> Bus.connect(folder.resolve("bus"), 0))
          .isInstanceOf(BusException.class);
    }
  }

  @Test
  void noBusIsAnError() {
    assertThatThrownBy(() -> Bus.connect(folder.resolve("none"), 0))
        .isInstanceOf(BusException.class)
        .hasMessageContaining("none");
  }

  /** A message with one text in it. */
  private static ByteBuffer answer(int type, int serial, String text) {
    ByteBuffer bytes = ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put((byte) 'l').put((byte) type).put((byte) 1).put((byte) 1);
    bytes.putInt(4 + text.length() + 1).putInt(77).putInt(8 + 7);
    bytes.put((byte) 5).put((byte) 1).put((byte) 'u').put((byte) 0).putInt(serial);
    bytes.put((byte) 8).put((byte) 1).put((byte) 'g').put((byte) 0);
    bytes.put((byte) 1).put((byte) 's').put((byte) 0);
    bytes.position(32);
    bytes.putInt(text.length()).put(text.getBytes(US_ASCII)).put((byte) 0);
    return bytes.flip();
  }

  private static byte[] array(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  private static final class FakeBus implements AutoCloseable {
    private final ServerSocketChannel server;
    private SocketChannel client;

    FakeBus(Path socket) throws IOException {
      server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      server.bind(UnixDomainSocketAddress.of(socket));
    }

    private SocketChannel client() throws IOException {
      if (client == null) {
        client = server.accept();
      }
      return client;
    }

    void expectLine(String line) {
      try {
        ByteBuffer bytes = ByteBuffer.allocate(line.length() + 2);
        while (bytes.hasRemaining() && client().read(bytes) >= 0) {
          // until the whole line is there
        }
        assertThat(new String(bytes.array(), US_ASCII)).isEqualTo(line + "\r\n");
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    void send(String text) {
      write(ByteBuffer.wrap(text.getBytes(US_ASCII)));
    }

    void answer(int serial, String text) {
      write(BusTest.answer(BusMessage.RETURN, serial, text));
    }

    private void write(ByteBuffer bytes) {
      try {
        while (bytes.hasRemaining()) {
          client().write(bytes);
        }
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void close() {
      try {
        if (client != null) {
          client.close();
        }
        server.close();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }
}
