package io.zett.sandbox.engine;

import io.zett.sandbox.process.TakingStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * What is typed into a terminal: a stream, and at its end the character that means the end there
 * (termios(3), VEOF), since a terminal is not closed. After a line that is not complete it takes
 * two: the first only ends the line. For one thread.
 */
final class TerminalInput extends TakingStream {
  private static final byte END_OF_FILE = 4;
  private static final byte NEWLINE = '\n';

  /** What ends a stream: the longer one after an incomplete line. */
  private static final int MOST_ENDS = 2;

  private final Source source;
  private @Nullable InputStream typed;
  private byte last = NEWLINE;
  private int endsLeft = -1;

  /** Where it comes from; opened by who reads, since that may wait. */
  @FunctionalInterface
  interface Source {
    InputStream open() throws IOException;
  }

  TerminalInput(Source source) {
    this.source = source;
  }

  @Override
  protected int take(byte[] to, int offset, int length) throws IOException {
    if (endsLeft < 0) {
      InputStream from = typed;
      if (from == null) {
        from = source.open();
        typed = from;
      }
      int count = from.read(to, offset, length);
      if (count >= 0) {
        last = count == 0 ? last : to[offset + count - 1];
        return count;
      }
      endsLeft = last == NEWLINE || last == END_OF_FILE ? 1 : MOST_ENDS;
    }
    if (endsLeft == 0) {
      return -1;
    }
    endsLeft--;
    to[offset] = END_OF_FILE;
    return 1;
  }
}
