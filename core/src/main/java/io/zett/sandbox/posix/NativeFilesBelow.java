package io.zett.sandbox.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.List;

/** {@link FilesBelow} by one {@code statx(2)} each. */
final class NativeFilesBelow implements FilesBelow {

  private final NativeStrings names;

  NativeFilesBelow(List<byte[]> names) {
    this.names = new NativeStrings(names);
  }

  @Override
  public void look(int directory, long[] found) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = arena.allocate(JAVA_INT);
      MemorySegment status = arena.allocate(Statx.SIZE, 8);
      for (int i = 0; i < names.count(); i++) {
        boolean there = Statx.fill(errno, directory, names.address(i), status) == 0;
        found[i * FIELDS] = there ? Statx.device(status) : -1;
        found[i * FIELDS + 1] = there ? Statx.inode(status) : -1;
        found[i * FIELDS + 2] = there ? Statx.mountId(status) : -1;
      }
    } finally {
      Reference.reachabilityFence(names);
    }
  }
}
