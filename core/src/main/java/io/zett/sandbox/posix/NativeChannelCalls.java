package io.zett.sandbox.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** {@link ChannelCalls} through {@link Kernel}. */
interface NativeChannelCalls extends ChannelCalls {

  /** {@code sizeof(struct msghdr)}, the same on both architectures. */
  int MESSAGE_HEADER = 56;

  /** {@code sizeof(struct cmsghdr)}. */
  int CMSG_HEADER = 16;

  /** Room for one {@code struct ucred} and one descriptor. */
  int ANCILLARY = 32 + 24;

  @Override
  default int[] pipe2(int flags) {
    try (Scratch scratch = Scratch.take()) {
      MemorySegment ends = scratch.allocate(2L * Integer.BYTES, Integer.BYTES);
      long result =
          Kernel.raw(SystemCall.PIPE2, ends.address(), flags | (long) Constants.O_CLOEXEC);
      Kernel.check(SystemCall.PIPE2, "", result);
      return new int[] {ends.getAtIndex(JAVA_INT, 0), ends.getAtIndex(JAVA_INT, 1)};
    }
  }

  @Override
  default boolean setPipeSize(int fd, int bytes) {
    return Kernel.raw(SystemCall.FCNTL, fd, Constants.F_SETPIPE_SZ, bytes, 0) > 0;
  }

  @Override
  default int[] socketpair(int type) {
    try (Scratch scratch = Scratch.take()) {
      MemorySegment ends = scratch.allocate(2L * Integer.BYTES, Integer.BYTES);
      long result =
          Kernel.raw(
              SystemCall.SOCKETPAIR,
              Constants.AF_UNIX,
              type | Constants.O_CLOEXEC,
              0,
              ends.address());
      Kernel.check(SystemCall.SOCKETPAIR, "", result);
      return new int[] {ends.getAtIndex(JAVA_INT, 0), ends.getAtIndex(JAVA_INT, 1)};
    }
  }

  @Override
  default int socket(int family, int type, int protocol) {
    long result = Kernel.raw(SystemCall.SOCKET, family, type | Constants.O_CLOEXEC, protocol, 0);
    return (int) Kernel.check(SystemCall.SOCKET, "", result);
  }

  @Override
  default int boundFile(int socket) {
    long result = Kernel.raw(SystemCall.IOCTL, socket, Constants.SIOCUNIXFILE, 0, 0);
    return (int) Kernel.check(SystemCall.IOCTL, socket, result);
  }

  @Override
  default void setsockopt(int fd, int level, int name, int value) {
    try (Scratch scratch = Scratch.take()) {
      long number = scratch.allocateFrom(JAVA_INT, value).address();
      long result = Kernel.raw(SystemCall.SETSOCKOPT, fd, level, name, number, 4, 0);
      Kernel.check(SystemCall.SETSOCKOPT, fd, result);
    }
  }

  @Override
  default void shutdown(int fd, int how) {
    long result = Kernel.raw(SystemCall.SHUTDOWN, fd, how);
    if (result != -Errno.ENOTCONN) {
      Kernel.check(SystemCall.SHUTDOWN, fd, result);
    }
  }

  @Override
  default long send(int fd, ByteBuffer buffer, int flags) {
    return Transfer.out(
        buffer, (at, length) -> Kernel.raw(SystemCall.SENDTO, fd, at, length, flags));
  }

  @Override
  default long recv(int fd, ByteBuffer buffer, int flags) {
    return Transfer.in(
        buffer, (at, length) -> Kernel.raw(SystemCall.RECVFROM, fd, at, length, flags));
  }

  @Override
  default Received receiveWithCredentials(int fd, ByteBuffer buffer) {
    try (Scratch scratch = Scratch.take()) {
      MemorySegment control = scratch.allocate(ANCILLARY, 8);
      MemorySegment vector = scratch.allocate(2L * Long.BYTES, Long.BYTES);
      MemorySegment header = scratch.allocate(MESSAGE_HEADER, 8);
      header.set(JAVA_LONG, 16, vector.address());
      header.set(JAVA_LONG, 24, 1);
      header.set(JAVA_LONG, 32, control.address());
      header.set(JAVA_LONG, 40, ANCILLARY);
      int flags = Constants.MSG_DONTWAIT | Constants.MSG_CMSG_CLOEXEC;
      long count =
          Transfer.in(
              buffer,
              (at, length) -> {
                vector.setAtIndex(JAVA_LONG, 0, at);
                vector.setAtIndex(JAVA_LONG, 1, length);
                return Kernel.raw(SystemCall.RECVMSG, fd, header.address(), flags, 0);
              });
      long filled = count < 0 ? 0 : header.get(JAVA_LONG, 40);
      return new Received(
          count,
          ancillary(control, filled, Constants.SCM_CREDENTIALS),
          ancillary(control, filled, Constants.SCM_RIGHTS));
    }
  }

  /** The first number of a control message (cmsg(3)); -1 if there is none of that type. */
  private static int ancillary(MemorySegment control, long filled, int type) {
    for (long at = 0; at + CMSG_HEADER + 4 <= filled; ) {
      long length = control.get(JAVA_LONG, at);
      if (length < CMSG_HEADER + 4) {
        break;
      }
      if (control.get(JAVA_INT, at + 8) == Constants.SOL_SOCKET
          && control.get(JAVA_INT, at + 12) == type) {
        return control.get(JAVA_INT, at + CMSG_HEADER);
      }
      at += (length + 7) & -8L;
    }
    return -1;
  }
}
