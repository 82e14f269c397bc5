package io.zett.sandbox.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CaptureTest {
  private static final int SIZE = 5_000_000;

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 8191, 8192, 8193, 1 << 20, 3_000_001, SIZE, SIZE + 1, Long.MAX_VALUE})
  void theHeadIsKeptWhateverTheChunksAre(long cap) {
    byte[] written = new byte[SIZE];
    Random random = new Random(cap);
    random.nextBytes(written);
    Capture capture = new Capture(cap);
    for (int at = 0, length; at < SIZE; at += length) {
      length = Math.min(SIZE - at, 1 + random.nextInt(random.nextBoolean() ? 20 : 1 << 16));
      capture.accept(ByteBuffer.wrap(written, at, length));
    }
    int kept = (int) Math.min(cap, SIZE);
    assertThat(capture.bytes()).isEqualTo(Arrays.copyOf(written, kept));
    assertThat(capture.total()).isEqualTo(SIZE);
    assertThat(capture.isTruncated()).isEqualTo(cap < SIZE);
    assertThat(capture.isFull()).isEqualTo(cap <= SIZE);
  }
}
