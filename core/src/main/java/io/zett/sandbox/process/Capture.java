package io.zett.sandbox.process;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps the head of an output stream; the rest is counted and thrown away at the pipe's speed.
 * Confined to the loop until the command has ended.
 *
 * <p>It is kept in pieces that are put together by whoever asks for it: one array that grows would
 * be copied on the loop's thread, where a gigabyte holds up every other command for a third of a
 * second.
 */
public final class Capture implements Sink {

  private static final int FIRST_PIECE = 1 << 13;
  private static final int LARGEST_PIECE = 1 << 20;
  private static final int LARGEST = Integer.MAX_VALUE - 8;

  private final int cap;
  private final List<byte[]> full = new ArrayList<>();
  private byte[] last = {};
  private int inLast;
  private int kept;
  private long total;
  private boolean discarded;

  /** Keeps at most {@code cap} bytes; 0 keeps none, and arrays bound it at about 2 GiB. */
  public Capture(long cap) {
    if (cap < 0) {
      throw new IllegalArgumentException("a negative number of bytes: " + cap);
    }
    this.cap = (int) Math.min(cap, LARGEST);
  }

  /** What was kept. */
  public byte[] bytes() {
    byte[] all = new byte[kept];
    int at = 0;
    for (byte[] piece : full) {
      System.arraycopy(piece, 0, all, at, piece.length);
      at += piece.length;
    }
    System.arraycopy(last, 0, all, at, inLast);
    return all;
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
    return kept == cap || discarded;
  }

  /** Lets go of everything, for a command that has no result any more. */
  void discard() {
    discarded = true;
    full.clear();
    last = new byte[0];
    inLast = 0;
    kept = 0;
  }

  void accept(ByteBuffer chunk) {
    total += chunk.remaining();
    int left = Math.min(chunk.remaining(), cap - kept);
    while (left > 0) {
      if (inLast == last.length) {
        addPiece();
      }
      int length = Math.min(left, last.length - inLast);
      chunk.get(last, inLast, length);
      inLast += length;
      kept += length;
      left -= length;
    }
  }

  private void addPiece() {
    int length = Math.clamp(2L * last.length, FIRST_PIECE, LARGEST_PIECE);
    byte[] next = new byte[Math.min(length, cap - kept)];
    if (inLast > 0) {
      full.add(last);
    }
    last = next;
    inLast = 0;
  }

  void skipped(long count) {
    total += count;
  }
}
