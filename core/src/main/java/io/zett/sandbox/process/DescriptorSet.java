package io.zett.sandbox.process;

import io.zett.sandbox.posix.Posix;
import java.util.BitSet;

/** The descriptors that one command holds in this process: each is closed exactly once. */
final class DescriptorSet implements AutoCloseable {

  private final Posix posix;
  private final BitSet open = new BitSet();

  DescriptorSet(Posix posix) {
    this.posix = posix;
  }

  int add(int fd) {
    open.set(fd);
    return fd;
  }

  /** Both ends of a pair. */
  int[] add(int[] pair) {
    open.set(pair[0]);
    open.set(pair[1]);
    return pair;
  }

  /** Closes one; nothing happens when it is not (any more) in the set. */
  void close(int fd) {
    if (fd >= 0 && open.get(fd)) {
      open.clear(fd);
      posix.close(fd);
    }
  }

  @Override
  public void close() {
    for (int fd = open.nextSetBit(0); fd >= 0; fd = open.nextSetBit(fd + 1)) {
      open.clear(fd);
      posix.close(fd);
    }
  }
}
