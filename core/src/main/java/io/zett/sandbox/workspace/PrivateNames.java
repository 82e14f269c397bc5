package io.zett.sandbox.workspace;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;

/** {@code zett-} and twelve random characters: 60 bits that nobody can guess beforehand. */
final class PrivateNames {

  private static final String PREFIX = "zett-";
  private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
  private static final int RANDOM_CHARACTERS = 12;
  private static final SecureRandom RANDOM = new SecureRandom();

  private PrivateNames() {}

  static byte[] next() {
    StringBuilder name = new StringBuilder(PREFIX);
    for (int i = 0; i < RANDOM_CHARACTERS; i++) {
      name.append(ALPHABET.charAt(RANDOM.nextInt(ALPHABET.length())));
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
