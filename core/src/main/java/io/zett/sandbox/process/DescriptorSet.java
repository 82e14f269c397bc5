package io.zett.sandbox.process;

import io.zett.sandbox.posix.Posix;
import java.util.Arrays;

/** The descriptors that one command holds in this process: each is closed exactly once. */
final class DescriptorSet implements AutoCloseable {
  /** Both ends of what a command without further files is given. */
  private static final int USUAL = 12;

  private final Posix posix;
  private int[] open = new int[USUAL];
  private int count;

  DescriptorSet(Posix posix) {
    this.posix = posix;
  }

  int add(int fd) {
    if (count == open.length) {
      open = Arrays.copyOf(open, 2 * count);
    }
    open[count++] = fd;
    return fd;
  }

  /** Both ends of a pair. */
  int[] add(int[] pair) {
    add(pair[0]);
    add(pair[1]);
    return pair;
  }

  /** Closes one; nothing happens when it is not (any more) in the set. */
  void close(int fd) {
    if (remove(fd)) {
      posix.close(fd);
    }
  }

  /** Leaves closing one to the caller; false when it is not (any more) in the set. */
  boolean remove(int fd) {
    for (int i = 0; i < count; i++) {
      if (open[i] == fd) {
        open[i] = open[--count];
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    while (count > 0) {
      posix.close(open[--count]);
    }
  }
}
