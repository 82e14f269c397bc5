package io.zett.sandbox.posix;

import java.nio.ByteBuffer;

/**
 * Pipes and sockets. {@link #send} and {@link #receiveWithCredentials} return the negated error
 * number instead of throwing.
 */
public interface ChannelCalls {

  /** The read end and the write end; {@code O_CLOEXEC} is always added. */
  int[] pipe2(int flags);

  /** Asks for a larger pipe; false when the user's budget does not allow it. */
  boolean setPipeSize(int fd, int bytes);

  /** Two connected Unix sockets of {@code SOCK_STREAM} or another type, closed on exec. */
  int[] socketpair(int type);

  /** {@code socket(2)}; {@code SOCK_CLOEXEC} is always added. */
  int socket(int family, int type, int protocol);

  /**
   * The file that a Unix socket was bound to, wherever it is by now, as an {@code O_PATH}
   * descriptor: {@code SIOCUNIXFILE}, kernel 4.18. It takes {@code CAP_NET_ADMIN} over the socket's
   * network namespace ({@code EPERM}); a socket without a file is {@code ENOENT}.
   */
  int boundFile(int socket);

  void setsockopt(int fd, int level, int name, int value);

  /** {@code shutdown(2)}; a connection that is gone already is no error. */
  void shutdown(int fd, int how);

  /** {@code sendto(2)} with {@code MSG_} flags; advances the buffer. */
  long send(int fd, ByteBuffer buffer, int flags);

  /** {@code recvfrom(2)} with {@code MSG_} flags; advances the buffer. */
  long recv(int fd, ByteBuffer buffer, int flags);

  /**
   * {@code recvmsg(2)} with the sender's pid, when {@code SO_PASSCRED} is set, and with at most one
   * descriptor; never waits.
   */
  Received receiveWithCredentials(int fd, ByteBuffer buffer);
}
