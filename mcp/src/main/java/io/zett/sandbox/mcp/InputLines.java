package io.zett.sandbox.mcp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Lines of a stream, of bounded length. Not thread-safe. */
final class InputLines {
  /** Of one line: a file that is written comes in one. */
  static final int MOST_BYTES = 16 << 20;

  private final InputStream in;
  private final byte[] chunk = new byte[1 << 16];
  private int from;
  private int to;

  InputLines(InputStream in) {
    this.in = in;
  }

  /** What stands on a line. */
  sealed interface Line {}

  /** Without its end. */
  record Text(String text) implements Line {}

  /** Skipped. */
  record TooLong() implements Line {}

  /** The next one; null at the end of the stream. What stands there without a line feed is none. */
  @Nullable Line next() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    boolean tooLong = false;
    while (true) {
      if (from == to) {
        from = 0;
        to = in.read(chunk);
        if (to < 0) {
          to = 0;
          return null;
        }
      }
      int end = from;
      while (end < to && chunk[end] != '\n') {
        end++;
      }
      tooLong |= line.size() + (end - from) > MOST_BYTES;
      if (!tooLong) {
        line.write(chunk, from, end - from);
      }
      boolean complete = end < to;
      from = complete ? end + 1 : end;
      if (complete) {
        return tooLong ? new TooLong() : new Text(line.toString(StandardCharsets.UTF_8));
      }
    }
  }
}
