package io.zett.sandbox.host;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The file that a socket is bound to, as a process that has the socket open leads to it.
 *
 * @param id which file
 * @param names how many names it has; 0 when nothing can reach it any more
 * @param places paths of this mount namespace at which it should be, in Latin-1
 */
record BoundFile(FileId id, long names, Set<String> places) {

  private static final long FOLLOW_IN_ROOT =
      Constants.RESOLVE_IN_ROOT | Constants.RESOLVE_NO_MAGICLINKS;

  /**
   * Asks the kernel through the socket itself, wherever its file was moved to. Takes the right to
   * trace the holder and {@code CAP_NET_ADMIN} over the socket's network namespace, which root has,
   * and a user over containers of its own.
   *
   * @return null when this user may not know, or the socket is gone
   */
  static @Nullable BoundFile ofSocket(
      Posix posix, SocketHolders.Holder holder, long inode, MountMap there, MountMap here) {
    return opened(
        posix,
        () -> {
          int process = posix.pidfdOpen(holder.pid(), 0);
          try {
            int socket = posix.pidfdGetfd(process, holder.descriptor());
            try {
              if (posix.fstat(socket).ino() != inode) {
                throw new PosixException(Errno.EBADF, "pidfd_getfd", "");
              }
              return posix.boundFile(socket);
            } finally {
              posix.close(socket);
            }
          } finally {
            posix.close(process);
          }
        },
        there,
        here);
  }

  /**
   * Follows the path that it was bound to as the holder would, links of its root included.
   *
   * @param path absolute there, in Latin-1
   * @return null when this user may not look there, or no socket is there
   */
  static @Nullable BoundFile ofPath(
      Posix posix, SocketHolders.Holder holder, String path, MountMap there, MountMap here) {
    return opened(
        posix,
        () -> {
          UnixPath root = holder.directory().resolve("root");
          int directory = posix.open(root, Constants.O_PATH | Constants.O_DIRECTORY, 0);
          try {
            byte[] name = path.getBytes(ISO_8859_1);
            return posix.openat2(directory, name, Constants.O_PATH, 0, FOLLOW_IN_ROOT);
          } finally {
            posix.close(directory);
          }
        },
        there,
        here);
  }

  @FunctionalInterface
  private interface Opening {
    int open();
  }

  private static @Nullable BoundFile opened(
      Posix posix, Opening opening, MountMap there, MountMap here) {
    try {
      int file = opening.open();
      try {
        return of(posix, file, there, here);
      } finally {
        posix.close(file);
      }
    } catch (PosixException e) {
      e.throwIfShortage();
      return null;
    }
  }

  private static @Nullable BoundFile of(Posix posix, int file, MountMap there, MountMap here) {
    FileStatus status = posix.fstat(file);
    if (!status.isSocket()) {
      return null;
    }
    byte[] link = ("/proc/self/fd/" + file).getBytes(US_ASCII);
    String path = new String(posix.readlinkat(Constants.AT_FDCWD, link), ISO_8859_1);
    // Where it is in the mount that it was reached through; that mount may be one of another table.
    MountMap.Inner inner = there.inner(status.mountId(), path);
    Set<String> places = new LinkedHashSet<>();
    if (inner != null) {
      places.addAll(here.paths(inner));
    }
    places.add(path);
    long device = inner != null ? inner.device() : here.device(status);
    return new BoundFile(new FileId(device, (int) status.ino()), status.nlink(), places);
  }
}
