package io.zett.sandbox.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/** One system call on an address and a length, fitted to a buffer. */
@FunctionalInterface
interface Transfer {

  /** How much of a buffer on the heap is copied at once. */
  int CHUNK = 1 << 16;

  /** Returns a count or a negated error number. */
  long run(long address, long length);

  /** Fills the buffer from where it stands. */
  static long in(ByteBuffer buffer, Transfer call) {
    if (buffer.isDirect()) {
      return direct(buffer, call);
    }
    try (Scratch scratch = Scratch.take()) {
      int length = Math.min(CHUNK, buffer.remaining());
      MemorySegment copy = scratch.allocate(Math.max(1, length));
      long count = call.run(copy.address(), length);
      if (count > 0) {
        int from = buffer.position();
        MemorySegment.copy(
            copy, JAVA_BYTE, 0, buffer.array(), buffer.arrayOffset() + from, (int) count);
        buffer.position(from + (int) count);
      }
      return count;
    }
  }

  /** Takes from the buffer. */
  static long out(ByteBuffer buffer, Transfer call) {
    if (buffer.isDirect()) {
      return direct(buffer, call);
    }
    try (Scratch scratch = Scratch.take()) {
      int length = Math.min(CHUNK, buffer.remaining());
      MemorySegment copy = scratch.allocate(Math.max(1, length));
      if (buffer.hasArray()) {
        int from = buffer.arrayOffset() + buffer.position();
        MemorySegment.copy(buffer.array(), from, copy, JAVA_BYTE, 0, length);
      } else {
        copy.asByteBuffer().put(buffer.slice(buffer.position(), length));
      }
      long count = call.run(copy.address(), length);
      if (count > 0) {
        buffer.position(buffer.position() + (int) count);
      }
      return count;
    }
  }

  private static long direct(ByteBuffer buffer, Transfer call) {
    try {
      long count = call.run(MemorySegment.ofBuffer(buffer).address(), buffer.remaining());
      if (count > 0) {
        buffer.position(buffer.position() + (int) count);
      }
      return count;
    } finally {
      Reference.reachabilityFence(buffer);
    }
  }
}
