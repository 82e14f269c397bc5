package io.zett.sandbox.posix;

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
    try (Scratch scratch = Scratch.take()) {
      MemorySegment errno = scratch.errno();
      MemorySegment status = scratch.allocate(Statx.SIZE, 8);
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
