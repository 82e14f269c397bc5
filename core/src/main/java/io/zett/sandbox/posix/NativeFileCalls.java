package io.zett.sandbox.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@link FileCalls} through {@link Kernel}. */
interface NativeFileCalls extends FileCalls {

  /** Room for the value of an extended attribute. */
  int XATTR_MAX = 4096;

  @Override
  default int open(UnixPath path, int flags, int mode) {
    try (Scratch scratch = Scratch.take()) {
      long name = Kernel.string(scratch, path);
      long result =
          Kernel.raw(
              SystemCall.OPENAT, Constants.AT_FDCWD, name, flags | Constants.O_CLOEXEC, mode);
      return (int) Kernel.check(SystemCall.OPENAT, path, result);
    }
  }

  @Override
  default int openat(int directory, byte[] name, int flags, int mode) {
    try (Scratch scratch = Scratch.take()) {
      long path = Kernel.string(scratch, name);
      long result =
          Kernel.raw(SystemCall.OPENAT, directory, path, flags | Constants.O_CLOEXEC, mode);
      return (int) Kernel.check(SystemCall.OPENAT, name, result);
    }
  }

  @Override
  default int openat2(int directory, byte[] relative, int flags, int mode, long resolve) {
    try (Scratch scratch = Scratch.take()) {
      MemorySegment how = scratch.allocate(3L * Long.BYTES, Long.BYTES);
      how.setAtIndex(JAVA_LONG, 0, (flags | Constants.O_CLOEXEC) & 0xffffffffL);
      how.setAtIndex(JAVA_LONG, 1, mode);
      how.setAtIndex(JAVA_LONG, 2, resolve);
      long path = Kernel.string(scratch, relative);
      long result = Kernel.raw(SystemCall.OPENAT2, directory, path, how.address(), 24);
      return (int) Kernel.check(SystemCall.OPENAT2, relative, result);
    }
  }

  @Override
  default void close(int fd) {
    Kernel.raw(SystemCall.CLOSE, fd, 0);
  }

  @Override
  default SeenFiles remember(List<SeenFile> files) {
    return new NativeSeenFiles(files);
  }

  @Override
  default FilesBelow below(List<byte[]> names) {
    return new NativeFilesBelow(names);
  }

  @Override
  default long read(int fd, ByteBuffer buffer) {
    return Transfer.in(buffer, (at, length) -> Kernel.raw(SystemCall.READ, fd, at, length, 0));
  }

  @Override
  default long write(int fd, ByteBuffer buffer) {
    return Transfer.out(buffer, (at, length) -> Kernel.raw(SystemCall.WRITE, fd, at, length, 0));
  }

  @Override
  default long pread(int fd, ByteBuffer buffer, long offset) {
    return Transfer.in(
        buffer, (at, length) -> Kernel.raw(SystemCall.PREAD64, fd, at, length, offset));
  }

  @Override
  default void seek(int fd, long offset) {
    Kernel.check(SystemCall.LSEEK, fd, Kernel.raw(SystemCall.LSEEK, fd, offset, 0, 0));
  }

  @Override
  default long pwrite(int fd, ByteBuffer buffer, long offset) {
    return Transfer.out(
        buffer, (at, length) -> Kernel.raw(SystemCall.PWRITE64, fd, at, length, offset));
  }

  @Override
  default long splice(int in, int out, long length, int flags) {
    return Kernel.raw(SystemCall.SPLICE, in, 0, out, 0, length, flags);
  }

  @Override
  default int dup(int fd, int lowest) {
    return fcntl(fd, Constants.F_DUPFD_CLOEXEC, lowest);
  }

  @Override
  default int fcntl(int fd, int command, long argument) {
    return (int)
        Kernel.check(SystemCall.FCNTL, fd, Kernel.raw(SystemCall.FCNTL, fd, command, argument, 0));
  }

  @Override
  default void setWindowSize(int fd, int rows, int columns) {
    try (Scratch scratch = Scratch.take()) {
      MemorySegment size = scratch.allocate(8, 2);
      size.set(JAVA_SHORT, 0, (short) rows);
      size.set(JAVA_SHORT, 2, (short) columns);
      long result = Kernel.raw(SystemCall.IOCTL, fd, Constants.TIOCSWINSZ, size.address(), 0);
      Kernel.check(SystemCall.IOCTL, fd, result);
    }
  }

  @Override
  default int ioctlInt(int fd, long request, int value) {
    try (Scratch scratch = Scratch.take()) {
      MemorySegment number = scratch.allocateFrom(JAVA_INT, value);
      long result = Kernel.raw(SystemCall.IOCTL, fd, request, number.address(), 0);
      Kernel.check(SystemCall.IOCTL, fd, result);
      return number.get(JAVA_INT, 0);
    }
  }

  @Override
  default void ftruncate(int fd, long length) {
    Kernel.check(SystemCall.FTRUNCATE, fd, Kernel.raw(SystemCall.FTRUNCATE, fd, length));
  }

  @Override
  default @Nullable FileStatus stat(UnixPath path) {
    return Statx.missingAsNull(Constants.AT_FDCWD, path.bytes(), 0);
  }

  @Override
  default @Nullable FileStatus lstat(UnixPath path) {
    return Statx.missingAsNull(Constants.AT_FDCWD, path.bytes(), Constants.AT_SYMLINK_NOFOLLOW);
  }

  @Override
  default FileStatus fstat(int fd) {
    return Statx.of(fd, new byte[0], Constants.AT_EMPTY_PATH, fd);
  }

  @Override
  default @Nullable FileStatus statat(int directory, byte[] name, int flags) {
    return Statx.missingAsNull(directory, name, flags);
  }

  @Override
  default void fchmod(int fd, int mode) {
    Kernel.check(SystemCall.FCHMOD, fd, Kernel.raw(SystemCall.FCHMOD, fd, mode));
  }

  @Override
  default void fchown(int fd, int uid, int gid) {
    Kernel.check(SystemCall.FCHOWN, fd, Kernel.raw(SystemCall.FCHOWN, fd, uid, gid, 0));
  }

  @Override
  default void fsetxattr(int fd, String name, byte[] value, int flags) {
    try (Scratch scratch = Scratch.take()) {
      long key = Kernel.string(scratch, name);
      long bytes = scratch.allocateFrom(JAVA_BYTE, value).address();
      long result = Kernel.raw(SystemCall.FSETXATTR, fd, key, bytes, value.length, flags, 0);
      Kernel.check(SystemCall.FSETXATTR, fd, result);
    }
  }

  @Override
  default void setxattr(UnixPath path, String name, byte[] value, int flags) {
    try (Scratch scratch = Scratch.take()) {
      long at = Kernel.string(scratch, path);
      long key = Kernel.string(scratch, name);
      long bytes = scratch.allocateFrom(JAVA_BYTE, value).address();
      long result = Kernel.raw(SystemCall.SETXATTR, at, key, bytes, value.length, flags, 0);
      Kernel.check(SystemCall.SETXATTR, path, result);
    }
  }

  @Override
  default byte @Nullable [] fgetxattr(int fd, String name) {
    try (Scratch scratch = Scratch.take()) {
      MemorySegment value = scratch.allocate(XATTR_MAX);
      long key = Kernel.string(scratch, name);
      long result = Kernel.raw(SystemCall.FGETXATTR, fd, key, value.address(), XATTR_MAX);
      if (result == -Errno.ENODATA) {
        return null;
      }
      long length = Kernel.check(SystemCall.FGETXATTR, fd, result);
      return value.asSlice(0, length).toArray(JAVA_BYTE);
    }
  }

  @Override
  default FileSystemUse fstatfs(int fd) {
    try (Scratch scratch = Scratch.take()) {
      // struct statfs of 64-bit Linux: type, block size, blocks, free blocks, ... (asm/statfs.h)
      MemorySegment s = scratch.allocate(120, 8);
      Kernel.check(SystemCall.FSTATFS, fd, Kernel.raw(SystemCall.FSTATFS, fd, s.address()));
      long usedBlocks = s.getAtIndex(JAVA_LONG, 2) - s.getAtIndex(JAVA_LONG, 3);
      return new FileSystemUse(s.getAtIndex(JAVA_LONG, 0), usedBlocks * s.getAtIndex(JAVA_LONG, 1));
    }
  }

  @Override
  default boolean flock(int fd, int operation) {
    long result = Kernel.raw(SystemCall.FLOCK, fd, operation);
    return result != -Errno.EAGAIN && Kernel.check(SystemCall.FLOCK, fd, result) == 0;
  }

  @Override
  default int memfdCreate(String name, int flags) {
    try (Scratch scratch = Scratch.take()) {
      long text = Kernel.string(scratch, name);
      long result = Kernel.raw(SystemCall.MEMFD_CREATE, text, flags);
      return (int) Kernel.check(SystemCall.MEMFD_CREATE, name, result);
    }
  }
}
