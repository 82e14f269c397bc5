package io.zett.sandbox.soak;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Random;

/**
 * A checksummed stream of known length: numbers in lines, and in the last line what {@code
 * sha256sum} made of them.
 */
record Numbers(int first, int last) {

  /** Some, so many at most. */
  static Numbers some(Random random, int most) {
    int first = 1 + random.nextInt(1_000_000);
    return new Numbers(first, first + random.nextInt(most));
  }

  /** The shell text that writes them. */
  String shell() {
    String numbers = "seq " + first + " " + last;
    return numbers + "; " + numbers + " | sha256sum";
  }

  /** What that text writes. */
  byte[] bytes() {
    StringBuilder lines = new StringBuilder();
    for (int number = first; number <= last; number++) {
      lines.append(number).append('\n');
    }
    return ascii(lines + checksum(ascii(lines.toString())));
  }

  /** What {@code sha256sum} says of these bytes on its standard input. */
  static String checksum(byte[] bytes) {
    try {
      byte[] sum = MessageDigest.getInstance("SHA-256").digest(bytes);
      return HexFormat.of().formatHex(sum) + "  -\n";
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
