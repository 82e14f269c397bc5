package io.zett.sandbox.backend.seatbelt;

import io.zett.sandbox.posix.UnixPath;
import java.util.Optional;

/**
 * A denied path as a regular expression that ignores the case of ASCII letters: the disk of a Mac
 * usually does, and for a file that does not exist yet the kernel tells the name as the command
 * wrote it. On a disk that heeds case this denies a little more.
 */
final class AnyCase {

  /** A longer expression does not compile, as public reports have it (about 900 bytes). */
  static final int LONGEST = 900;

  private static final String SPECIAL = "\\^$.|?*+()[]{}";

  private AnyCase() {}

  /** For the path and all below it; empty when that would be too long. */
  static Optional<String> subtree(UnixPath path) {
    return path.isRoot() ? Optional.empty() : of(path, "(/|$)");
  }

  /** For the path alone; empty when that would be too long. */
  static Optional<String> itself(UnixPath path) {
    return path.isRoot() ? Optional.empty() : of(path, "$");
  }

  private static Optional<String> of(UnixPath path, String end) {
    StringBuilder regex = new StringBuilder("^");
    String text = path.latin1();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') {
        regex.append('[').append((char) (c & ~0x20)).append((char) (c | 0x20)).append(']');
      } else {
        if (SPECIAL.indexOf(c) >= 0) {
          regex.append('\\');
        }
        regex.append(c);
      }
    }
    regex.append(end);
    return regex.length() > LONGEST ? Optional.empty() : Optional.of(regex.toString());
  }
}
