package io.zett.sandbox.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Memory outside of the heap for the length of a call, zeroed, and used again by later calls: an
 * {@link Arena} for each was half of what a command allocated. What does not fit comes from an
 * arena. For one thread at a time.
 */
final class Scratch implements SegmentAllocator, AutoCloseable {
  private static final int SIZE = 8 * 1024;

  /** At the beginning of each: room for {@code errno}, which every call needs. */
  private static final int ERRNO_ROOM = 16;

  /** As many pieces are remembered: a power of two. */
  private static final int SLICES = 64;

  /** As many are kept; more are only made while more calls are under way. */
  private static final AtomicReferenceArray<@Nullable Scratch> KEPT =
      new AtomicReferenceArray<>(16);

  private final MemorySegment block = Arena.ofAuto().allocate(SIZE, ERRNO_ROOM);
  private final long start = block.address();
  private final @Nullable MemorySegment[] slices = new MemorySegment[SLICES];
  private final MemorySegment errno = block.asSlice(0, Integer.BYTES);
  private long used = ERRNO_ROOM;
  private @Nullable Arena more;

  private Scratch() {}

  static Scratch take() {
    for (int i = 0; i < KEPT.length(); i++) {
      Scratch kept = KEPT.getPlain(i) == null ? null : KEPT.getAndSet(i, null);
      if (kept != null) {
        return kept;
      }
    }
    return new Scratch();
  }

  /** Where a call leaves its error number. */
  MemorySegment errno() {
    return errno;
  }

  @Override
  @SuppressWarnings("MustBeClosedChecker") // closed by close()
  public MemorySegment allocate(long size, long alignment) {
    long from = (used + alignment - 1) & -alignment;
    if (size <= SIZE - from) {
      used = from + size;
      return slice(from, size).fill((byte) 0);
    }
    if (more == null) {
      more = Arena.ofConfined();
    }
    return more.allocate(size, alignment);
  }

  /** The same calls take the same pieces again and again. */
  private MemorySegment slice(long from, long size) {
    int at = (int) (from / Integer.BYTES + size) & SLICES - 1;
    MemorySegment known = slices[at];
    if (known == null || known.byteSize() != size || known.address() != start + from) {
      known = block.asSlice(from, size);
      slices[at] = known;
    }
    return known;
  }

  @Override
  public void close() {
    used = ERRNO_ROOM;
    if (more != null) {
      more.close();
      more = null;
    }
    for (int i = 0; i < KEPT.length(); i++) {
      if (KEPT.getPlain(i) == null && KEPT.compareAndSet(i, null, this)) {
        return;
      }
    }
  }
}
