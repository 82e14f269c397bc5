package io.zett.sandbox.host;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;

/**
 * Asks the kernel which file each Unix socket of this network namespace is bound to: sock_diag(7),
 * which needs no privilege. Layouts: linux/netlink.h, linux/unix_diag.h.
 */
final class UnixDiagnosis {

  private static final short DIAGNOSE_BY_FAMILY = 20;
  private static final short REQUEST_DUMP = 0x301;
  private static final short ERROR = 2;
  private static final short DONE = 3;
  private static final int SHOW_FILE = 2;
  private static final short FILE = 1;
  private static final int HEADER = 16;
  private static final int REQUEST = HEADER + 24;
  private static final int MESSAGE = HEADER + 16;

  /** The kernel answers in pieces of at most 32 KiB. */
  private static final int ANSWER = 1 << 16;

  private UnixDiagnosis() {}

  /**
   * The files, by the sockets' own numbers; none where the kernel does not tell.
   *
   * @throws PosixException if descriptors or memory are short
   */
  static Map<Long, FileId> files(Posix posix) {
    int socket;
    try {
      socket = posix.socket(Constants.AF_NETLINK, Constants.SOCK_RAW, Constants.NETLINK_SOCK_DIAG);
    } catch (PosixException e) {
      e.throwIfShortage();
      return Map.of(); // A kernel without it, or a filter that refuses it.
    }
    try {
      return ask(posix, socket);
    } finally {
      posix.close(socket);
    }
  }

  private static Map<Long, FileId> ask(Posix posix, int socket) {
    ByteBuffer request = ByteBuffer.allocate(REQUEST).order(ByteOrder.nativeOrder());
    request.putInt(REQUEST).putShort(DIAGNOSE_BY_FAMILY).putShort(REQUEST_DUMP);
    request.putInt(0).putInt(0); // Sequence and port.
    request.put((byte) Constants.AF_UNIX).put((byte) 0).putShort((short) 0);
    request.putInt(-1).putInt(0).putInt(SHOW_FILE).putInt(0).putInt(0);
    checked(posix.send(socket, request.flip(), 0), "sendto");
    Map<Long, FileId> files = new HashMap<>();
    ByteBuffer answer = ByteBuffer.allocateDirect(ANSWER).order(ByteOrder.nativeOrder());
    do {
      // Each piece is made ready by the call before: there is nothing to wait for.
      long count = posix.recv(socket, answer.clear(), Constants.MSG_DONTWAIT);
      if (count == -Errno.EAGAIN || checked(count, "recvfrom") <= 0) {
        return files;
      }
    } while (read(answer.flip(), files));
    return files;
  }

  private static long checked(long result, String call) {
    if (result < 0) {
      new PosixException((int) -result, call, "sock_diag").throwIfShortage();
    }
    return result;
  }

  /** False when that was the last piece. */
  private static boolean read(ByteBuffer answer, Map<Long, FileId> files) {
    for (int at = 0; at + HEADER <= answer.limit(); ) {
      int length = answer.getInt(at);
      int type = answer.getShort(at + 4);
      if (type == DONE || type == ERROR || length < HEADER || at + length > answer.limit()) {
        return false;
      }
      long inode = answer.getInt(at + HEADER + 4) & 0xffffffffL;
      for (int part = at + MESSAGE; part + 4 <= at + length; ) {
        int size = answer.getShort(part) & 0xffff;
        if (size < 4) {
          break;
        }
        if (answer.getShort(part + 2) == FILE && size >= 12) {
          // The kernel's own form of a device: twelve bits and twenty (linux/kdev_t.h).
          int device = answer.getInt(part + 8);
          long packed = FileStatus.device(device >>> 20, device & 0xfffff);
          files.put(inode, new FileId(packed, answer.getInt(part + 4)));
        }
        part += aligned(size);
      }
      at += aligned(length);
    }
    return true;
  }

  private static int aligned(int length) {
    return (length + 3) & ~3;
  }
}
