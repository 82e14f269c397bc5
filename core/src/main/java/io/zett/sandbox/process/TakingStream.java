package io.zett.sandbox.process;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** A stream of what can be taken from somewhere, in pieces. */
public abstract class TakingStream extends InputStream {

  /** For those who extend it. */
  protected TakingStream() {}

  /**
   * Takes what is there, and waits while that is nothing.
   *
   * @param length at least 1
   * @return how many bytes, or -1 at the end
   */
  protected abstract int take(byte[] to, int offset, int length) throws IOException;

  @Override
  public final int read() throws IOException {
    byte[] one = new byte[1];
    return take(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public final int read(byte[] to, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, to.length);
    return length == 0 ? 0 : take(to, offset, length);
  }
}
