package io.zett.sandbox.posix;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls on files and descriptors.
 *
 * <p>{@link #read}, {@link #write}, {@link #pread}, {@link #pwrite} and {@link #splice} return the
 * negated error number instead of throwing: would-block and broken pipes are everyday there. They
 * advance the buffer's position by the count; a direct buffer is used in place, others are copied.
 */
public interface FileCalls extends DiskCalls {

  /** {@code open(2)}; {@code O_CLOEXEC} is always added. */
  int open(UnixPath path, int flags, int mode);

  /** {@code openat(2)}; {@code O_CLOEXEC} is always added. */
  int openat(int directory, byte[] name, int flags, int mode);

  /** {@code openat2(2)}, kernel 5.6, with {@code RESOLVE_} bits; adds {@code O_CLOEXEC}. */
  int openat2(int directory, byte[] relative, int flags, int mode, long resolve);

  /** {@code close(2)}; errors are ignored, the number is free afterwards in any case. */
  void close(int fd);

  long read(int fd, ByteBuffer buffer);

  long write(int fd, ByteBuffer buffer);

  long pread(int fd, ByteBuffer buffer, long offset);

  /** Leaves the descriptor's position alone. */
  long pwrite(int fd, ByteBuffer buffer, long offset);

  /** {@code lseek(2)} to a position from the beginning. */
  void seek(int fd, long offset);

  /** {@code splice(2)} at the descriptors' own positions. */
  long splice(int in, int out, long length, int flags);

  /** Makes ready to look at files below a directory, by their paths from there. */
  FilesBelow below(List<byte[]> names);

  /** A copy of a descriptor, numbered {@code lowest} or higher. */
  int dup(int fd, int lowest);

  int fcntl(int fd, int command, long argument);

  /** An {@code ioctl(2)} that reads or writes one int: {@code value} goes in, the result is out. */
  int ioctlInt(int fd, long request, int value);

  /**
   * How large a terminal is (TIOCSWINSZ, ioctl_tty(2)); its foreground processes get SIGWINCH when
   * that changes.
   */
  void setWindowSize(int fd, int rows, int columns);

  void ftruncate(int fd, long length);

  /** Follows links; null when a component is missing (ENOENT, ENOTDIR). */
  @Nullable FileStatus stat(UnixPath path);

  FileStatus fstat(int fd);

  /** {@code AT_} flags; an empty name needs {@code AT_EMPTY_PATH}; null when missing. */
  @Nullable FileStatus statat(int directory, byte[] name, int flags);

  void fchmod(int fd, int mode);

  void fchown(int fd, int uid, int gid);

  /** Sets an extended attribute; {@code flags}: 0, {@code XATTR_CREATE}, {@code XATTR_REPLACE}. */
  void fsetxattr(int fd, String name, byte[] value, int flags);

  /** As {@link #fsetxattr}, by path, following links. */
  void setxattr(UnixPath path, String name, byte[] value, int flags);

  /** An extended attribute of at most 4 KiB; null when there is none. */
  byte @Nullable [] fgetxattr(int fd, String name);

  /** {@code fstatfs(2)}. */
  FileSystemUse fstatfs(int fd);

  /** {@code flock(2)}; false when {@code LOCK_NB} was given and another holds it. */
  boolean flock(int fd, int operation);

  /** {@code memfd_create(2)} with these flags as they are. */
  int memfdCreate(String name, int flags);

  /**
   * A sealable anonymous file. Kernels from 6.3 want to be told whether it may be executed, and may
   * refuse ({@code vm.memfd_noexec}); older ones do not know the flags.
   */
  default int memoryFile(String name, boolean executable) {
    int flags = Constants.MFD_CLOEXEC | Constants.MFD_ALLOW_SEALING;
    try {
      return memfdCreate(
          name, flags | (executable ? Constants.MFD_EXEC : Constants.MFD_NOEXEC_SEAL));
    } catch (PosixException e) {
      if (e.errno() != Errno.EINVAL) {
        throw e;
      }
      return memfdCreate(name, flags);
    }
  }

  /** An anonymous file with this content, which nobody can change, at its beginning. */
  default int sealedFile(String name, byte[] content, boolean executable) {
    int fd = memoryFile(name, executable);
    try {
      ByteBuffer rest = ByteBuffer.wrap(content);
      while (rest.hasRemaining()) {
        long count = pwrite(fd, rest, rest.position());
        if (count < 0) {
          throw new PosixException((int) -count, "pwrite64", name);
        }
      }
      addSeals(
          fd,
          Constants.F_SEAL_SEAL
              | Constants.F_SEAL_SHRINK
              | Constants.F_SEAL_GROW
              | Constants.F_SEAL_WRITE);
      return fd;
    } catch (RuntimeException | Error e) {
      close(fd);
      throw e;
    }
  }

  /** Adds {@code F_SEAL_} bits. */
  default void addSeals(int fd, int seals) {
    fcntl(fd, Constants.F_ADD_SEALS, seals);
  }

  /** Writes all of it, waiting as a blocking descriptor does. */
  default void writeFully(int fd, byte[] bytes) {
    writeFully(fd, ByteBuffer.wrap(bytes));
  }

  /** The same for what is left in a buffer. */
  default void writeFully(int fd, ByteBuffer buffer) {
    while (buffer.hasRemaining()) {
      long count = write(fd, buffer);
      if (count < 0) {
        throw new PosixException((int) -count, "write", "");
      }
    }
  }

  /** The whole of a file, or its first {@code limit} bytes; links are followed. */
  default byte[] readFile(UnixPath path, int limit) {
    int fd = open(path, Constants.O_RDONLY | Constants.O_NOCTTY, 0);
    try {
      return readFully(fd, limit, path.toString());
    } finally {
      close(fd);
    }
  }

  /** A FIFO in its place does not block. */
  @Override
  default byte[] readRegularFile(UnixPath path, int limit) {
    int flags = Constants.O_RDONLY | Constants.O_NOCTTY | Constants.O_NONBLOCK;
    int fd = open(path, flags, 0);
    try {
      return fstat(fd).isRegular() ? readFully(fd, limit, path.toString()) : new byte[0];
    } finally {
      close(fd);
    }
  }

  /** From the descriptor's position to the end, or {@code limit} bytes. */
  default byte[] readFully(int fd, int limit, String subject) {
    ByteBuffer buffer = ByteBuffer.allocate(Math.min(limit, 8192));
    while (true) {
      long count = buffer.hasRemaining() ? read(fd, buffer) : 0;
      if (count < 0) {
        throw new PosixException((int) -count, "read", subject);
      }
      if (buffer.hasRemaining() ? count == 0 : buffer.capacity() >= limit) {
        byte[] bytes = new byte[buffer.flip().remaining()];
        buffer.get(bytes);
        return bytes;
      }
      if (!buffer.hasRemaining()) {
        int size = (int) Math.min(limit, buffer.capacity() * 4L);
        buffer = ByteBuffer.allocate(size).put(buffer.flip());
      }
    }
  }
}
