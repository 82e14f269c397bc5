package io.zett.sandbox.process;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Keeps the head of an output stream; the rest is counted and thrown away at the pipe's speed.
 * Confined to the loop until the command has ended.
 */
public final class Capture implements Sink {

  private static final int FIRST = 1 << 13;
  private static final int LARGEST = Integer.MAX_VALUE - 8;

  private final int cap;
  private byte[] head = new byte[0];
  private int kept;
  private long total;

  /** Keeps at most {@code cap} bytes; 0 keeps none, and arrays bound it at about 2 GiB. */
  public Capture(long cap) {
    if (cap < 0) {
      throw new IllegalArgumentException("a negative number of bytes: " + cap);
    }
    this.cap = (int) Math.min(cap, LARGEST);
  }

  /** What was kept. */
  public byte[] bytes() {
    return Arrays.copyOf(head, kept);
  }

  @Override
  public long total() {
    return total;
  }

  /** Whether the command wrote more than was kept. */
  public boolean isTruncated() {
    return total > kept;
  }

  boolean isFull() {
    return kept == cap;
  }

  void accept(ByteBuffer chunk) {
    total += chunk.remaining();
    int length = Math.min(chunk.remaining(), cap - kept);
    if (kept + length > head.length) {
      long doubled = Math.max(Math.max(FIRST, 2L * head.length), (long) kept + length);
      head = Arrays.copyOf(head, (int) Math.min(cap, doubled));
    }
    chunk.get(head, kept, length);
    kept += length;
  }

  void skipped(long count) {
    total += count;
  }
}
