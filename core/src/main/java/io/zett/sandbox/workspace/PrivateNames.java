package io.zett.sandbox.workspace;

import io.zett.sandbox.posix.Posix;
import java.nio.charset.StandardCharsets;

/** {@code zett-} and twelve random characters: 60 bits that nobody can guess beforehand. */
final class PrivateNames {

  private static final String PREFIX = "zett-";
  private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
  private static final int RANDOM_CHARACTERS = 12;

  private PrivateNames() {}

  static byte[] next(Posix posix) {
    StringBuilder name = new StringBuilder(PREFIX);
    for (byte random : posix.random(RANDOM_CHARACTERS)) {
      name.append(ALPHABET.charAt(random & 31)); // five of its bits for one of 32 characters
    }
    return name.toString().getBytes(StandardCharsets.US_ASCII);
  }

  static boolean matches(byte[] name) {
    String text = new String(name, StandardCharsets.ISO_8859_1);
    return text.length() == PREFIX.length() + RANDOM_CHARACTERS
        && text.startsWith(PREFIX)
        && text.substring(PREFIX.length()).chars().allMatch(c -> ALPHABET.indexOf(c) >= 0);
  }
}
