package io.zett.sandbox.host;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.DirectoryEntry;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where the processes are that hold certain sockets, as far as this user may look into them
 * (proc_pid_fd(5), proc_pid_cwd(5)).
 */
final class SocketOwners {
  private static final UnixPath PROC = UnixPath.ofText("/proc");
  private static final String SOCKET = "socket:[";

  private final Posix posix;
  private final Map<Long, List<String>> found = new HashMap<>();

  SocketOwners(Posix posix) {
    this.posix = posix;
  }

  /** The current directories of the holders, in Latin-1, by the sockets' inode numbers. */
  Map<Long, List<String>> directories(Set<Long> inodes) {
    for (DirectoryEntry process : list(PROC)) {
      if (Character.isDigit(process.name()[0])) {
        look(PROC.resolve(process.name()), inodes);
      }
    }
    return found;
  }

  private void look(UnixPath process, Set<Long> inodes) {
    UnixPath descriptors = process.resolve("fd");
    for (DirectoryEntry descriptor : list(descriptors)) {
      String target = target(descriptors.resolve(descriptor.name()));
      if (target.startsWith(SOCKET)) {
        long inode = Long.parseLong(target.substring(SOCKET.length(), target.length() - 1));
        if (inodes.contains(inode)) {
          String directory = target(process.resolve("cwd"));
          if (directory.startsWith("/")) {
            found.computeIfAbsent(inode, _ -> new ArrayList<>()).add(directory);
          }
        }
      }
    }
  }

  private List<DirectoryEntry> list(UnixPath directory) {
    List<DirectoryEntry> all = new ArrayList<>();
    try {
      int fd = posix.open(directory, Constants.O_RDONLY | Constants.O_DIRECTORY, 0);
      try {
        posix.entries(fd).forEach(all::add);
      } finally {
        posix.close(fd);
      }
    } catch (PosixException e) {
      e.throwIfShortage(); // Else another user's, or one that has ended.
    }
    return all;
  }

  private String target(UnixPath link) {
    try {
      return new String(posix.readlink(link), ISO_8859_1);
    } catch (PosixException e) {
      e.throwIfShortage();
      return "";
    }
  }
}
