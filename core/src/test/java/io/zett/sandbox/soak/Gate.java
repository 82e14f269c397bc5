package io.zett.sandbox.soak;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/** An input of one line, which comes when it is let through. */
final class Gate extends InputStream {
  private static final byte[] LINE = "go\n".getBytes(StandardCharsets.US_ASCII);

  private final CountDownLatch open = new CountDownLatch(1);
  private int next;

  void open() {
    open.countDown();
  }

  boolean isOpen() {
    return open.getCount() == 0;
  }

  @Override
  public int read() throws IOException {
    try {
      open.await();
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    }
    return next < LINE.length ? LINE[next++] : -1;
  }
}
