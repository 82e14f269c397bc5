package io.zett.sandbox.engine;

import io.zett.sandbox.process.TakingStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** A stream that is opened when somebody first reads from it, and closed at its end. */
final class OpenedLater extends TakingStream {
  private final Opener opener;
  private @Nullable InputStream stream;

  /** Opens it. */
  interface Opener {
    InputStream open() throws IOException;
  }

  OpenedLater(Opener opener) {
    this.opener = opener;
  }

  @Override
  protected int take(byte[] to, int offset, int length) throws IOException {
    InputStream open = stream;
    if (open == null) {
      open = opener.open();
      stream = open;
    }
    int count = open.read(to, offset, length);
    if (count < 0) {
      open.close();
    }
    return count;
  }

  @Override
  public void close() throws IOException {
    if (stream != null) {
      stream.close();
    }
  }
}
