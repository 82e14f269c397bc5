package io.zett.sandbox.cli;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;

/** Keeps the first bytes and counts them all. Written by one thread, read after its end. */
final class HeadBuffer extends OutputStream {
  private final ByteArrayOutputStream head = new ByteArrayOutputStream();
  private final long cap;
  private long total;

  HeadBuffer(long cap) {
    this.cap = cap;
  }

  @Override
  public synchronized void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public synchronized void write(byte[] bytes, int offset, int length) {
    long room = Math.min(cap, Integer.MAX_VALUE - 8) - head.size();
    head.write(bytes, offset, (int) Math.min(length, Math.max(0, room)));
    total += length;
  }

  synchronized byte[] bytes() {
    return head.toByteArray();
  }

  synchronized long total() {
    return total;
  }
}
