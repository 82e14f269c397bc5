package io.zett.sandbox.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What a command writes to one stream if it is left alone.
 *
 * @param beginning its first bytes, no fewer than are kept
 * @param total how many it writes
 */
record Written(byte[] beginning, long total) {

  /** All of it. */
  static Written all(byte[] bytes) {
    return new Written(bytes, bytes.length);
  }

  /** All of it. */
  static Written all(String text) {
    return all(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Everything has come, and as much of it was kept as had to be. */
  void verifyWhole(String stream, byte[] kept, long counted, long cap) {
    assertThat(counted).as("bytes written to %s", stream).isEqualTo(total);
    assertThat((long) kept.length).as("bytes kept of %s", stream).isEqualTo(Math.min(total, cap));
    verifyBeginning(stream, kept);
  }

  /** What has come is its beginning. */
  void verifyPart(String stream, byte[] kept, long counted) {
    assertThat(counted).as("bytes of %s", stream).isBetween((long) kept.length, total);
    verifyBeginning(stream, kept);
  }

  private void verifyBeginning(String stream, byte[] kept) {
    int torn = Arrays.mismatch(beginning, kept);
    assertThat(torn)
        .as("%s: %d bytes are kept and differ at %d", stream, kept.length, torn)
        .satisfies(at -> assertThat(at < 0 || at == kept.length).isTrue());
  }
}
