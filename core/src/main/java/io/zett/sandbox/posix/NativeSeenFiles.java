package io.zett.sandbox.posix;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.List;

/**
 * {@link SeenFiles} by one {@code statx(2)} each: the paths lie ready in native memory, and an
 * answer makes no garbage to speak of.
 */
final class NativeSeenFiles implements SeenFiles {

  private static final int LONGEST_TARGET = 4096; // PATH_MAX

  private final SeenFile[] files;
  private final NativeStrings paths;

  NativeSeenFiles(List<SeenFile> seen) {
    files = seen.toArray(SeenFile[]::new);
    paths = new NativeStrings(seen.stream().map(file -> file.path().bytes()).toList());
  }

  @Override
  public boolean areAsSeen() {
    try (Scratch scratch = Scratch.take()) {
      MemorySegment errno = scratch.errno();
      MemorySegment status = scratch.allocate(Statx.SIZE, 8);
      for (int i = 0; i < files.length; i++) {
        SeenFile file = files[i];
        long path = paths.address(i);
        if (!isAsSeen(file, path, errno, status)
            || (file.target() != null && !leadsAsSeen(file, path, errno, scratch))) {
          return false;
        }
      }
      return true;
    } finally {
      Reference.reachabilityFence(paths);
    }
  }

  private static boolean isAsSeen(
      SeenFile file, long path, MemorySegment errno, MemorySegment status) {
    long result = Statx.fill(errno, Constants.AT_FDCWD, path, status);
    FileStatus before = file.status();
    if (before == null) {
      return file.unreachable()
          ? result == -Errno.EACCES || result == -Errno.ENAMETOOLONG
          : result == -Errno.ENOENT || result == -Errno.ENOTDIR;
    }
    return result == 0
        && Statx.inode(status) == before.ino()
        && Statx.device(status) == before.dev()
        && Statx.mode(status) == before.mode()
        && Statx.uid(status) == before.uid()
        && Statx.gid(status) == before.gid()
        && (!before.isRegular() || Statx.size(status) == 0 == (before.size() == 0))
        && (!before.isSocket() || Statx.links(status) == before.nlink())
        && (!file.timed() || Statx.mtimeNanos(status) == before.mtimeNanos());
  }

  /** A new link may have got the number of the one before, and any time its maker likes. */
  private static boolean leadsAsSeen(
      SeenFile link, long path, MemorySegment errno, Scratch scratch) {
    byte[] before = link.target();
    MemorySegment target = scratch.allocate(LONGEST_TARGET);
    long length =
        Kernel.raw(
            errno,
            SystemCall.READLINKAT,
            Constants.AT_FDCWD,
            path,
            target.address(),
            LONGEST_TARGET,
            0,
            0);
    return before != null
        && length == before.length
        && MemorySegment.mismatch(
                target, 0, length, MemorySegment.ofArray(before), 0, before.length)
            < 0;
  }
}
