package io.zett.sandbox.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** {@code statx(2)}: unlike {@code stat}, one layout on every architecture (linux/stat.h). */
final class Statx {

  private static final long SIZE = 256;
  private static final int BASIC_AND_MOUNT = 0x7ff | 0x1000;
  private static final int AT_NO_AUTOMOUNT = 0x800;

  private Statx() {}

  static @Nullable FileStatus missingAsNull(int directory, byte[] name, int flags) {
    try {
      return of(directory, name, flags, name);
    } catch (PosixException e) {
      if (e.errno() == Errno.ENOENT || e.errno() == Errno.ENOTDIR) {
        return null;
      }
      throw e;
    }
  }

  static FileStatus of(int directory, byte[] name, int flags, Object subject) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment s = arena.allocate(SIZE, 8);
      long path = Kernel.string(arena, name);
      long result =
          Kernel.raw(
              SystemCall.STATX,
              directory,
              path,
              flags | AT_NO_AUTOMOUNT,
              BASIC_AND_MOUNT,
              s.address(),
              0);
      Kernel.check(SystemCall.STATX, subject, result);
      return new FileStatus(
          device(s.get(JAVA_INT, 136), s.get(JAVA_INT, 140)),
          s.get(JAVA_LONG, 32),
          s.get(JAVA_SHORT, 28) & 0xffff,
          s.get(JAVA_INT, 20),
          s.get(JAVA_INT, 24),
          s.get(JAVA_INT, 16) & 0xffffffffL,
          s.get(JAVA_LONG, 40),
          s.get(JAVA_LONG, 112) * 1_000_000_000L + s.get(JAVA_INT, 120),
          s.get(JAVA_LONG, 144));
    }
  }

  /** {@code makedev(3)} as glibc and the kernel's {@code stat} pack it. */
  private static long device(long major, long minor) {
    return (minor & 0xff) | (major & 0xfff) << 8 | (minor & ~0xffL) << 12 | (major & ~0xfffL) << 32;
  }
}
