package io.zett.sandbox.host;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.nio.ByteBuffer;

/** Reads tables of the kernel's, always into the same memory. Not thread-safe. */
final class KernelTable {

  private static final int FIRST = 1 << 14;
  private static final int LARGEST = 64 << 20;

  private final Posix posix;
  private ByteBuffer buffer = ByteBuffer.allocateDirect(FIRST);

  KernelTable(Posix posix) {
    this.posix = posix;
  }

  /**
   * What a table holds now, from the buffer's position to its limit; valid until the next call.
   *
   * @throws PosixException if it cannot be read
   */
  ByteBuffer read(UnixPath path) {
    int fd = posix.open(path, Constants.O_RDONLY, 0);
    try {
      buffer.clear();
      while (true) {
        if (!buffer.hasRemaining()) {
          grow(path);
        }
        long count = posix.read(fd, buffer);
        if (count < 0) {
          throw new PosixException((int) -count, "read", path.toString());
        }
        if (count == 0) {
          return buffer.flip();
        }
      }
    } finally {
      posix.close(fd);
    }
  }

  private void grow(UnixPath path) {
    if (buffer.capacity() >= LARGEST) {
      throw new IllegalStateException(path + " is longer than " + LARGEST + " bytes");
    }
    ByteBuffer larger = ByteBuffer.allocateDirect(2 * buffer.capacity());
    larger.put(buffer.flip());
    buffer = larger;
  }
}
