package io.zett.sandbox.engine;

import io.zett.sandbox.process.TakingStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream that knows whether anything was read from it, which cannot be given back. */
final class UnreadStream extends TakingStream {
  private final InputStream stream;
  private volatile boolean read;

  UnreadStream(InputStream stream) {
    this.stream = stream;
  }

  /** Whether it is as it was. */
  boolean isUnread() {
    return !read;
  }

  @Override
  protected int take(byte[] to, int offset, int length) throws IOException {
    read = true;
    return stream.read(to, offset, length);
  }
}
