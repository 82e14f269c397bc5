package io.zett.sandbox.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.TerminalSize;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

class StartBlockTest {

  @Test
  void theBlockIsWhatZettInitReads() {
    byte[] encoded =
        new StartBlock(
                List.of(bytes("sh"), bytes("")),
                List.of(bytes("A=b")),
                bytes("/d"),
                List.of(new Rlimit(7, 5, -1)),
                List.of(bytes("/w"), bytes("/t")))
            .encode(false, false, null);
    ByteBuffer block = ByteBuffer.wrap(encoded).order(ByteOrder.nativeOrder());
    assertThat(block.getInt()).isEqualTo(0x5454455A);
    assertThat(block.getInt()).isEqualTo(3);
    assertThat(block.getInt()).isEqualTo(1);
    assertThat(block.getInt()).isEqualTo(block.remaining());
    assertThat(block.getInt()).isEqualTo(1);
    assertThat(block.getInt()).isEqualTo(7);
    assertThat(block.getInt()).isZero();
    assertThat(block.getLong()).isEqualTo(5);
    assertThat(block.getLong()).isEqualTo(-1);
    assertThat(block.getInt()).isEqualTo(3);
    byte[] rest = new byte[block.remaining()];
    block.get(rest);
    assertThat(new String(rest, UTF_8))
        .isEqualTo("/d\0\2\0\0\0\1\0\0\0\2\0\0\0sh\0\0A=b\0/w\0/t\0");
  }

  @Test
  void withoutDirectoriesThereIsNoFlag() {
    ByteBuffer block = encoded(false, false);
    assertThat(block.getInt(8)).isZero();
    assertThat(block.getInt(StartBlock.HEADER + 4 + 4 + 2 + 8)).isZero();
  }

  @Test
  void sharedOutputAndNoInputAreFlags() {
    assertThat(encoded(true, false).getInt(8)).isEqualTo(2);
    assertThat(encoded(false, true).getInt(8)).isEqualTo(4);
  }

  @Test
  void aTerminalsSizeComesFirst() {
    StartBlock block = new StartBlock(List.of(bytes("sh")), List.of(), bytes("/"), List.of());
    ByteBuffer with =
        ByteBuffer.wrap(block.encode(true, false, new TerminalSize(24, 80)))
            .order(ByteOrder.nativeOrder());
    assertThat(with.getInt(8)).isEqualTo(8 + 2);
    assertThat(with.getInt(12)).isEqualTo(with.limit() - StartBlock.HEADER);
    assertThat(with.getInt(StartBlock.HEADER)).isEqualTo(24 << 16 | 80);
    assertThat(with.getInt(StartBlock.HEADER + 4)).isZero();
  }

  private static ByteBuffer encoded(boolean merged, boolean noInput) {
    StartBlock block = new StartBlock(List.of(bytes("sh")), List.of(), bytes("/"), List.of());
    return ByteBuffer.wrap(block.encode(merged, noInput, null)).order(ByteOrder.nativeOrder());
  }

  @Test
  void aNulOrNoProgramIsRefused() {
    assertThatThrownBy(() -> new StartBlock(List.of(), List.of(), bytes("/"), List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> new StartBlock(List.of(bytes("a\0b")), List.of(), bytes("/"), List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void moreThanZettInitTakesIsASetupFailure() {
    byte[] large = new byte[33 << 20];
    java.util.Arrays.fill(large, (byte) 'x');
    StartBlock block = new StartBlock(List.of(large, large), List.of(), bytes("/"), List.of());
    assertThatThrownBy(() -> block.encode(false, false, null))
        .isInstanceOf(SetupFailure.class)
        .hasMessageContaining("64");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
