package io.zett.sandbox.process;

import java.io.OutputStream;
import java.util.concurrent.CountDownLatch;

/** Tells that something has been written. */
final class NotifyingStream extends OutputStream {

  private final CountDownLatch written;

  NotifyingStream(CountDownLatch written) {
    this.written = written;
  }

  @Override
  public void write(int b) {
    written.countDown();
  }
}
