package io.zett.sandbox.benchmarks;

import java.io.InputStream;
import java.util.Arrays;

/** So many zeros. Not thread-safe. */
final class Zeros extends InputStream {
  private long left;

  Zeros(long count) {
    left = count;
  }

  @Override
  public int read() {
    return left-- > 0 ? 0 : -1;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) {
    if (length == 0) {
      return 0;
    }
    if (left <= 0) {
      return -1;
    }
    int count = (int) Math.min(left, length);
    Arrays.fill(buffer, offset, offset + count, (byte) 0);
    left -= count;
    return count;
  }
}
