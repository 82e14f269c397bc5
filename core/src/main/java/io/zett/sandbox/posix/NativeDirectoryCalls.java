package io.zett.sandbox.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** {@link DirectoryCalls} through {@link Kernel}. */
interface NativeDirectoryCalls extends DirectoryCalls {

  /** {@code PATH_MAX}. */
  int PATH_MAX = 4096;

  /** {@code struct linux_dirent64} with the shortest name. */
  int SHORTEST_ENTRY = 24;

  /** How much of a directory is read at once. */
  int DIRECTORY_CHUNK = 32 * 1024;

  @Override
  default byte[] readlink(UnixPath path) {
    return readlinkat(Constants.AT_FDCWD, path.bytes());
  }

  @Override
  default byte[] readlinkat(int directory, byte[] name) {
    try (Scratch scratch = Scratch.take()) {
      MemorySegment target = scratch.allocate(PATH_MAX);
      long path = Kernel.string(scratch, name);
      long result = Kernel.raw(SystemCall.READLINKAT, directory, path, target.address(), PATH_MAX);
      long length = Kernel.check(SystemCall.READLINKAT, name, result);
      if (length == PATH_MAX) {
        throw new PosixException(
            Errno.ENAMETOOLONG, "readlinkat", new String(name, StandardCharsets.UTF_8));
      }
      return target.asSlice(0, length).toArray(JAVA_BYTE);
    }
  }

  @Override
  default void mkdirat(int directory, byte[] name, int mode) {
    try (Scratch scratch = Scratch.take()) {
      long result =
          Kernel.raw(SystemCall.MKDIRAT, directory, Kernel.string(scratch, name), mode, 0);
      Kernel.check(SystemCall.MKDIRAT, name, result);
    }
  }

  @Override
  default void unlinkat(int directory, byte[] name, int flags) {
    try (Scratch scratch = Scratch.take()) {
      long result =
          Kernel.raw(SystemCall.UNLINKAT, directory, Kernel.string(scratch, name), flags, 0);
      Kernel.check(SystemCall.UNLINKAT, name, result);
    }
  }

  @Override
  default void linkat(int fromDirectory, byte[] from, int toDirectory, byte[] to, int flags) {
    try (Scratch scratch = Scratch.take()) {
      long source = Kernel.string(scratch, from);
      long target = Kernel.string(scratch, to);
      long result =
          Kernel.raw(SystemCall.LINKAT, fromDirectory, source, toDirectory, target, flags, 0);
      Kernel.check(SystemCall.LINKAT, to, result);
    }
  }

  @Override
  default void renameat2(int fromDirectory, byte[] from, int toDirectory, byte[] to, int flags) {
    try (Scratch scratch = Scratch.take()) {
      long source = Kernel.string(scratch, from);
      long target = Kernel.string(scratch, to);
      long result =
          Kernel.raw(SystemCall.RENAMEAT2, fromDirectory, source, toDirectory, target, flags, 0);
      Kernel.check(SystemCall.RENAMEAT2, to, result);
    }
  }

  @Override
  default void symlinkat(byte[] target, int directory, byte[] name) {
    try (Scratch scratch = Scratch.take()) {
      long text = Kernel.string(scratch, target);
      long path = Kernel.string(scratch, name);
      Kernel.check(
          SystemCall.SYMLINKAT, name, Kernel.raw(SystemCall.SYMLINKAT, text, directory, path, 0));
    }
  }

  @Override
  default void fchmodat(int directory, byte[] name, int mode) {
    try (Scratch scratch = Scratch.take()) {
      long result =
          Kernel.raw(SystemCall.FCHMODAT, directory, Kernel.string(scratch, name), mode, 0);
      Kernel.check(SystemCall.FCHMODAT, name, result);
    }
  }

  @Override
  default void utimensat(
      int directory, byte[] name, long accessNanos, long changeNanos, int flags) {
    try (Scratch scratch = Scratch.take()) {
      MemorySegment times = scratch.allocate(JAVA_LONG, 4);
      times.setAtIndex(JAVA_LONG, 0, Math.floorDiv(accessNanos, 1_000_000_000L));
      times.setAtIndex(JAVA_LONG, 1, Math.floorMod(accessNanos, 1_000_000_000L));
      times.setAtIndex(JAVA_LONG, 2, Math.floorDiv(changeNanos, 1_000_000_000L));
      times.setAtIndex(JAVA_LONG, 3, Math.floorMod(changeNanos, 1_000_000_000L));
      long path = Kernel.string(scratch, name);
      long result = Kernel.raw(SystemCall.UTIMENSAT, directory, path, times.address(), flags);
      Kernel.check(SystemCall.UTIMENSAT, name, result);
    }
  }

  @Override
  default boolean faccessat(int directory, byte[] name, int mode, int flags) {
    try (Scratch scratch = Scratch.take()) {
      long path = Kernel.string(scratch, name);
      long result = Kernel.raw(SystemCall.FACCESSAT2, directory, path, mode, flags);
      // Before kernel 5.8: without flags, which matters only to set-id programs.
      return result == 0
          || (result == -Errno.ENOSYS
              && Kernel.raw(SystemCall.FACCESSAT, directory, path, mode, 0) == 0);
    }
  }

  @Override
  default List<DirectoryEntry> getdents(int directory) {
    try (Scratch scratch = Scratch.take()) {
      MemorySegment chunk = scratch.allocate(DIRECTORY_CHUNK, 8);
      List<DirectoryEntry> entries = new ArrayList<>();
      while (entries.isEmpty()) {
        long length = fill(directory, chunk);
        if (length == 0) {
          break;
        }
        addEntries(chunk, length, entries);
      }
      return entries;
    }
  }

  @Override
  default int[] numbers(int directory, ByteBuffer buffer) {
    if (!buffer.isDirect()) {
      throw new IllegalArgumentException("the buffer must be a direct one");
    }
    buffer.clear();
    MemorySegment chunk = MemorySegment.ofBuffer(buffer);
    int length = (int) fill(directory, chunk);
    buffer.limit(length);
    int[] numbers = new int[length / SHORTEST_ENTRY];
    int count = 0;
    for (int at = 0; at < length; at += chunk.get(JAVA_SHORT_UNALIGNED, at + 16) & 0xffff) {
      int number = number(chunk, at + 19L);
      if (number >= 0) {
        numbers[count++] = number;
      }
    }
    return Arrays.copyOf(numbers, count);
  }

  /** Of at most nine digits; else -1. */
  private static int number(MemorySegment chunk, long start) {
    int value = 0;
    for (long at = start; ; at++) {
      byte digit = chunk.get(JAVA_BYTE, at);
      if (digit == 0) {
        return at == start ? -1 : value;
      }
      if (digit < '0' || digit > '9' || at - start == 9) {
        return -1;
      }
      value = value * 10 + digit - '0';
    }
  }

  private static long fill(int directory, MemorySegment chunk) {
    long result =
        Kernel.raw(SystemCall.GETDENTS64, directory, chunk.address(), chunk.byteSize(), 0);
    return Kernel.check(SystemCall.GETDENTS64, directory, result);
  }

  /** {@code struct linux_dirent64}: ino, off, reclen, type, name. */
  private static void addEntries(MemorySegment chunk, long length, List<DirectoryEntry> entries) {
    for (long at = 0; at < length; ) {
      int size = chunk.get(JAVA_SHORT_UNALIGNED, at + 16) & 0xffff;
      int end = 19;
      while (chunk.get(JAVA_BYTE, at + end) != 0) {
        end++;
      }
      byte[] name = chunk.asSlice(at + 19, end - 19L).toArray(JAVA_BYTE);
      if (!isDots(name)) {
        entries.add(
            new DirectoryEntry(
                name, chunk.get(JAVA_LONG_UNALIGNED, at), chunk.get(JAVA_BYTE, at + 18)));
      }
      at += size;
    }
  }

  private static boolean isDots(byte[] name) {
    return name[0] == '.' && (name.length == 1 || (name.length == 2 && name[1] == '.'));
  }
}
