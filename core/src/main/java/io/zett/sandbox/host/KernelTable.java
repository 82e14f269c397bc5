package io.zett.sandbox.host;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.nio.ByteBuffer;

/**
 * Reads tables of the kernel's, always into the same memory, one of them through a descriptor that
 * stays open: opening is most of what a short table costs. Not thread-safe.
 */
final class KernelTable implements AutoCloseable {

  private static final int FIRST = 1 << 14;
  private static final int LARGEST = 64 << 20;
  private static final int NONE = -1;

  private final Posix posix;
  private ByteBuffer buffer = ByteBuffer.allocateDirect(FIRST);
  private int held = NONE;
  private boolean closed;

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
      return read(fd, path);
    } finally {
      posix.close(fd);
    }
  }

  /** The same for the one table that is read again and again, which stays open until the end. */
  ByteBuffer readHeld(UnixPath path) {
    if (closed) {
      return read(path);
    }
    if (held == NONE) {
      held = posix.open(path, Constants.O_RDONLY, 0);
    }
    return read(held, path);
  }

  private ByteBuffer read(int fd, UnixPath path) {
    buffer.clear();
    while (true) {
      if (!buffer.hasRemaining()) {
        grow(path);
      }
      long count = posix.pread(fd, buffer, buffer.position());
      if (count < 0) {
        throw new PosixException((int) -count, "pread64", path.toString());
      }
      if (count == 0) {
        return buffer.flip();
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    if (held != NONE) {
      posix.close(held);
      held = NONE;
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
