package io.zett.sandbox.limits;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What descends from a process that adopts the orphans among them (PR_SET_CHILD_SUBREAPER), where
 * no pid namespace keeps them together. Each thread has children of its own (proc(5)). Of processes
 * that come or go meanwhile some are missing until the next look.
 */
final class Descendants {
  private static final int LONGEST_LIST = 1 << 20;

  private final Posix posix;

  Descendants(Posix posix) {
    this.posix = posix;
  }

  /**
   * Their pids, without the process's own.
   *
   * @throws PosixException if the kernel lacks descriptors or memory for the look
   */
  List<Integer> of(int root) {
    List<Integer> found = new ArrayList<>();
    Set<Integer> seen = new HashSet<>(Set.of(root));
    ArrayDeque<Integer> rest = new ArrayDeque<>(seen);
    while (!rest.isEmpty()) {
      UnixPath tasks = UnixPath.ofText("/proc/" + rest.remove() + "/task");
      posix.list(
          tasks,
          task -> {
            for (String word : children(tasks.resolve(task.name()))) {
              int child = word.isEmpty() ? root : Integer.parseInt(word);
              if (seen.add(child)) {
                found.add(child);
                rest.add(child);
              }
            }
          });
    }
    return found;
  }

  private String[] children(UnixPath task) {
    try {
      byte[] list = posix.readFile(task.resolve("children"), LONGEST_LIST);
      return new String(list, ISO_8859_1).strip().split(" +", -1);
    } catch (PosixException e) {
      e.throwIfShortage();
      return new String[0]; // It is gone.
    }
  }
}
