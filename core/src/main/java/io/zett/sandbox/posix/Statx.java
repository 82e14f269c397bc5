package io.zett.sandbox.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** {@code statx(2)}: unlike {@code stat}, one layout on every architecture (linux/stat.h). */
final class Statx {

  /** How many bytes the kernel fills. */
  static final long SIZE = 256;

  private static final int BASIC_AND_MOUNT = 0x7ff | 0x1000;
  private static final int AT_NO_AUTOMOUNT = 0x800;

  private Statx() {}

  static @Nullable FileStatus missingAsNull(int directory, byte[] name, int flags) {
    try (Scratch scratch = Scratch.take()) {
      MemorySegment status = scratch.allocate(SIZE, 8);
      long result = ask(scratch, directory, name, flags, status);
      if (result == -Errno.ENOENT || result == -Errno.ENOTDIR) {
        return null; // most credentials are missing: no exception for each
      }
      Kernel.check(SystemCall.STATX, name, result);
      return read(status);
    }
  }

  static FileStatus of(int directory, byte[] name, int flags, Object subject) {
    try (Scratch scratch = Scratch.take()) {
      MemorySegment status = scratch.allocate(SIZE, 8);
      Kernel.check(SystemCall.STATX, subject, ask(scratch, directory, name, flags, status));
      return read(status);
    }
  }

  private static long ask(
      Scratch scratch, int directory, byte[] name, int flags, MemorySegment status) {
    return Kernel.raw(
        SystemCall.STATX,
        directory,
        Kernel.string(scratch, name),
        flags | AT_NO_AUTOMOUNT,
        BASIC_AND_MOUNT,
        status.address(),
        0);
  }

  /** Looks at one of many files, a link not followed; 0, or a negated error number. */
  static long fill(MemorySegment errno, int directory, long path, MemorySegment status) {
    return Kernel.raw(
        errno,
        SystemCall.STATX,
        directory,
        path,
        Constants.AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT,
        BASIC_AND_MOUNT,
        status.address(),
        0);
  }

  /** What the kernel has filled in. */
  static FileStatus read(MemorySegment s) {
    return new FileStatus(
        device(s), inode(s), mode(s), uid(s), gid(s), links(s), size(s), mtimeNanos(s), mountId(s));
  }

  static long mountId(MemorySegment s) {
    return s.get(JAVA_LONG, 144);
  }

  static long links(MemorySegment s) {
    return s.get(JAVA_INT, 16) & 0xffffffffL;
  }

  static int uid(MemorySegment s) {
    return s.get(JAVA_INT, 20);
  }

  static int gid(MemorySegment s) {
    return s.get(JAVA_INT, 24);
  }

  static int mode(MemorySegment s) {
    return s.get(JAVA_SHORT, 28) & 0xffff;
  }

  static long inode(MemorySegment s) {
    return s.get(JAVA_LONG, 32);
  }

  static long size(MemorySegment s) {
    return s.get(JAVA_LONG, 40);
  }

  static long mtimeNanos(MemorySegment s) {
    return s.get(JAVA_LONG, 112) * 1_000_000_000L + s.get(JAVA_INT, 120);
  }

  static long device(MemorySegment s) {
    return FileStatus.device(s.get(JAVA_INT, 136), s.get(JAVA_INT, 140));
  }
}
