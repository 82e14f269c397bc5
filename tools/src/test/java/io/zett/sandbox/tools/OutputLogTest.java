package io.zett.sandbox.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class OutputLogTest {

  private static OutputLog log(int capacity, String... parts) {
    OutputLog log = new OutputLog(capacity);
    for (String part : parts) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      log.add(bytes, bytes.length);
    }
    return log;
  }

  @Test
  void theEndIsKeptWhateverTheSizesOfTheParts() {
    StringBuilder all = new StringBuilder();
    OutputLog log = new OutputLog(10_000);
    for (int i = 0; i < 3_000; i++) {
      String part = "p" + i + "x".repeat(i % 37);
      all.append(part);
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      log.add(bytes, bytes.length);
      int length = Math.min(all.length(), 10_000);
      assertThat(log.read(all.length() - length, 10_000).text())
          .isEqualTo(all.substring(all.length() - length));
    }
    assertThat(log.total()).isEqualTo(all.length());
    OutputPart tail = log.tail(100);
    assertThat(tail.text()).isEqualTo(all.substring(all.length() - 100));
    assertThat(tail.from()).isEqualTo(all.length() - 100);
    assertThat(tail.truncated()).isTrue();
  }

  @Test
  void onePartCanBeMoreThanIsKept() {
    OutputLog log = log(10, "0123456789abcdefghijklmnop");
    assertThat(log.read(0, 100)).isEqualTo(new OutputPart("ghijklmnop", 16, 26, 26));
    assertThat(log.read(20, 3)).isEqualTo(new OutputPart("klm", 20, 23, 26));
    assertThat(log.read(26, 3)).isEqualTo(new OutputPart("", 26, 26, 26));
    assertThat(log.read(99, 3)).isEqualTo(new OutputPart("", 26, 26, 26));
  }

  @Test
  void charactersAreNotCutInTwo() {
    OutputLog log = log(6, "äöü€");
    assertThat(log.tail(100)).isEqualTo(new OutputPart("ü€", 4, 9, 9));
    assertThat(log.tail(1)).isEqualTo(new OutputPart("€", 6, 9, 9));
    OutputLog pages = log(100, "a€b");
    assertThat(pages.read(0, 3)).isEqualTo(new OutputPart("a", 0, 1, 5));
    assertThat(pages.read(1, 3)).isEqualTo(new OutputPart("€", 1, 4, 5));
    // A page smaller than a character still goes on.
    assertThat(pages.read(1, 1).to()).isEqualTo(2);
    OutputLog malformed = new OutputLog(100);
    malformed.add(new byte[] {'a', (byte) 0xff, (byte) 0xfe, 'b', 'c'}, 5);
    assertThat(malformed.tail(3)).isEqualTo(new OutputPart("\ufffdbc", 2, 5, 5));
    assertThat(log(100, "x😀").tail(1).text()).isEmpty();
    assertThat(log(100, "x😀").tail(2).text()).isEqualTo("😀");
  }

  @Test
  void anUnfinishedCharacterIsLeftUntilTheStreamEnds() {
    byte[] begun = {'a', (byte) 0xe2, (byte) 0x82};
    OutputLog log = new OutputLog(100);
    log.add(begun, 3);
    assertThat(log.read(0, 100)).isEqualTo(new OutputPart("a", 0, 1, 3));
    log.drain(new ByteArrayInputStream(new byte[0]));
    assertThat(log.read(0, 100).text()).isEqualTo("a\ufffd");
  }
}
