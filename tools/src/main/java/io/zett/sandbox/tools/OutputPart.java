package io.zett.sandbox.tools;

import java.util.Objects;

/**
 * Part of an output stream.
 *
 * @param text decoded as UTF-8, malformed bytes replaced
 * @param from where it begins, in bytes from the beginning of the stream
 * @param to where it ends; the offset to read on at
 * @param total how many bytes the command has written so far
 */
public record OutputPart(String text, long from, long to, long total) {
  /** Refuses null. */
  public OutputPart {
    Objects.requireNonNull(text, "text");
  }

  /** Whether the command has written more than this. */
  public boolean truncated() {
    return from > 0 || to < total;
  }
}
