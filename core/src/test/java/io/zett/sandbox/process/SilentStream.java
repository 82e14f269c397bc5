package io.zett.sandbox.process;

import java.io.IOException;
import java.io.InputStream;

/** Gives nothing and never ends, until its reader is interrupted. */
final class SilentStream extends InputStream {

  @Override
  public int read() throws IOException {
    synchronized (this) {
      try {
        while (true) {
          wait();
        }
      } catch (InterruptedException e) {
        throw new IOException("interrupted", e);
      }
    }
  }
}
