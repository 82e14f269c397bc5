package io.zett.sandbox.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;

/** Kills what a process has started, where no pid namespace does it. */
final class ProcessTree {

  private static final int LIMIT = 1 << 20;

  /** Those that fork faster than this are beyond what can be done without a namespace. */
  private static final int ROUNDS = 20;

  private record Child(int pid, int parent) {}

  private final Posix posix;
  private final IntConsumer followed;
  private final Set<Integer> known = new HashSet<>();

  /** Kills, and cares no more. */
  ProcessTree(Posix posix) {
    this(posix, posix::close);
  }

  /**
   * Kills.
   *
   * @param followed gets a pidfd of each process that is dying or dead, and has to close it
   */
  ProcessTree(Posix posix, IntConsumer followed) {
    this.posix = posix;
    this.followed = followed;
  }

  /** SIGKILLs every descendant of a process that exists and that adopts their orphans. */
  void killDescendants(int root) {
    for (int round = 0; round < ROUNDS; round++) {
      ArrayDeque<Child> rest = new ArrayDeque<>(children(root));
      boolean found = false;
      while (!rest.isEmpty()) {
        found |= kill(rest.remove(), root, rest);
      }
      if (!found) {
        return;
      }
    }
  }

  /** Kills one, having noted its children; whether there was something to kill. */
  private boolean kill(Child child, int root, ArrayDeque<Child> rest) {
    int pidfd;
    try {
      pidfd = posix.pidfdOpen(child.pid(), 0);
    } catch (PosixException e) {
      if (e.errno() == Errno.ESRCH || e.errno() == Errno.EINVAL) {
        return false; // gone
      }
      throw e;
    }
    boolean dying = false;
    try {
      // The number may have become another's before the pidfd was open: its parent tells.
      String[] stat = stat(child.pid());
      if (stat.length < 2) {
        return false;
      }
      int parent = Integer.parseInt(stat[1]);
      if (parent != child.parent() && parent != root) {
        return false;
      }
      dying = stat[0].equals("Z");
      if (dying) {
        return false;
      }
      posix.pidfdSendSignal(pidfd, Constants.SIGSTOP); // what it starts meanwhile, the root adopts
      rest.addAll(children(child.pid()));
      dying = posix.pidfdSendSignal(pidfd, Constants.SIGKILL);
      return dying;
    } catch (PosixException e) {
      if (e.errno() == Errno.EPERM) {
        return false; // a set-id program
      }
      throw e;
    } finally {
      if (dying && known.add(child.pid())) {
        followed.accept(pidfd);
      } else {
        posix.close(pidfd);
      }
    }
  }

  private List<Child> children(int pid) {
    List<Child> found = new ArrayList<>();
    for (String number : read("/proc/" + pid + "/task/" + pid + "/children").split(" ", -1)) {
      if (!number.isBlank()) {
        found.add(new Child(Integer.parseInt(number.strip()), pid));
      }
    }
    return found;
  }

  /** State and parent, with more behind; empty when the process is gone. */
  private String[] stat(int pid) {
    String stat = read("/proc/" + pid + "/stat");
    int afterName = stat.lastIndexOf(')');
    return afterName < 0 ? new String[0] : stat.substring(afterName + 2).split(" ", 3);
  }

  /** The content; empty when the process is gone. */
  private String read(String path) {
    try {
      return new String(posix.readFile(UnixPath.ofText(path), LIMIT), ISO_8859_1);
    } catch (PosixException e) {
      if (e.errno() == Errno.ENOENT || e.errno() == Errno.ESRCH) {
        return "";
      }
      throw e;
    }
  }
}
