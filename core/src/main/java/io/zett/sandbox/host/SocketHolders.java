package io.zett.sandbox.host;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

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
 * Which processes hold certain sockets, as far as this user may look into them (proc_pid_fd(5)).
 */
final class SocketHolders {
  private static final UnixPath PROC = UnixPath.ofText("/proc");
  private static final String SOCKET = "socket:[";

  private final Posix posix;
  private final Set<Long> inodes;
  private final Map<Long, List<Holder>> found = new HashMap<>();

  /**
   * A process with a socket open.
   *
   * @param descriptor its number there
   */
  record Holder(int pid, int descriptor) {
    UnixPath directory() {
      return PROC.resolve(Integer.toString(pid));
    }
  }

  private SocketHolders(Posix posix, Set<Long> inodes) {
    this.posix = posix;
    this.inodes = inodes;
  }

  /** The holders, by the sockets' own numbers. Looks at every descriptor that it may see. */
  static Map<Long, List<Holder>> of(Posix posix, Set<Long> inodes) {
    SocketHolders search = new SocketHolders(posix, inodes);
    if (!inodes.isEmpty()) {
      posix.list(PROC, search::look);
    }
    return search.found;
  }

  /** Where a process is, as a path in its own mount namespace; empty when that is not told. */
  static String currentDirectory(Posix posix, Holder holder) {
    return target(posix, holder.directory().resolve("cwd"));
  }

  private void look(DirectoryEntry process) {
    if (!Character.isDigit(process.name()[0])) {
      return;
    }
    int pid = Integer.parseInt(process.toString());
    UnixPath descriptors = PROC.resolve(process.name()).resolve("fd");
    posix.list(
        descriptors,
        descriptor -> {
          String target = target(posix, descriptors.resolve(descriptor.name()));
          if (target.startsWith(SOCKET)) {
            long inode = Long.parseLong(target.substring(SOCKET.length(), target.length() - 1));
            if (inodes.contains(inode)) {
              found
                  .computeIfAbsent(inode, _ -> new ArrayList<>())
                  .add(new Holder(pid, Integer.parseInt(descriptor.toString())));
            }
          }
        });
  }

  private static String target(Posix posix, UnixPath link) {
    try {
      return new String(posix.readlink(link), ISO_8859_1);
    } catch (PosixException e) {
      e.throwIfShortage();
      return "";
    }
  }
}
