package io.zett.sandbox.limits;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One mounted tree of control groups and this process's place in it (cgroups(7)).
 *
 * @param unified version 2, whose one tree has all controllers
 * @param controllers what the mount counts and bounds; of version 2 those that its top offers are
 *     told by {@code cgroup.controllers} instead
 * @param mount where the tree is mounted
 * @param own the directory of the group that this process is in
 */
record Hierarchy(boolean unified, Set<String> controllers, UnixPath mount, UnixPath own) {
  static final UnixPath MOUNTINFO = UnixPath.ofText("/proc/self/mountinfo");

  /** All of them, from the texts of {@code /proc/self/mountinfo} and {@code /proc/self/cgroup}. */
  static List<Hierarchy> parse(String mountinfo, String membership) {
    Map<String, String> groups = new HashMap<>();
    for (String line : membership.split("\n")) {
      String[] parts = line.split(":", 3);
      if (parts.length == 3) {
        groups.put(parts[1], parts[2]);
      }
    }
    List<Hierarchy> found = new ArrayList<>();
    for (String line : mountinfo.split("\n")) {
      parseMount(line, groups).ifPresent(found::add);
    }
    return found;
  }

  /**
   * The tree of version 2, with the place of a process in it.
   *
   * @param pid the process; 0 is this one
   * @throws PosixException if there is no such tree
   */
  static Hierarchy unifiedOf(Posix posix, int pid) {
    String who = pid == 0 ? "self" : Integer.toString(pid);
    String membership = ControlFile.read(posix, UnixPath.ofText("/proc/" + who + "/cgroup"));
    return parse(ControlFile.read(posix, MOUNTINFO), membership).stream()
        .filter(Hierarchy::unified)
        .findFirst()
        .orElseThrow(() -> new PosixException(Errno.ENOENT, "find", "a control group of " + who));
  }

  private static Optional<Hierarchy> parseMount(String line, Map<String, String> groups) {
    int dash = line.indexOf(" - ");
    if (dash < 0) {
      return Optional.empty();
    }
    String[] tail = line.substring(dash + 3).split(" ");
    String[] head = line.substring(0, dash).split(" ");
    if (head.length < 5 || tail.length < 3 || !tail[0].startsWith("cgroup")) {
      return Optional.empty();
    }
    boolean unified = tail[0].equals("cgroup2");
    Set<String> controllers = unified ? Set.of() : Set.of(tail[2].split(","));
    Optional<String> group =
        groups.entrySet().stream()
            .filter(
                entry ->
                    unified
                        ? entry.getKey().isEmpty()
                        : !entry.getKey().isEmpty()
                            && controllers.containsAll(Set.of(entry.getKey().split(","))))
            .map(Map.Entry::getValue)
            .findFirst();
    UnixPath mount = UnixPath.of(unescape(head[4]).getBytes(ISO_8859_1));
    String root = unescape(head[3]);
    return group.map(path -> new Hierarchy(unified, controllers, mount, own(mount, root, path)));
  }

  /** A group above the mounted part (another cgroup namespace) is shown as the mount's top. */
  private static UnixPath own(UnixPath mount, String root, String group) {
    String below = null;
    if (root.equals("/")) {
      below = group.substring(1);
    } else if (group.equals(root) || group.startsWith(root + "/")) {
      below = group.substring(Math.min(group.length(), root.length() + 1));
    }
    if (below == null || below.isEmpty() || below.startsWith("..")) {
      return mount;
    }
    return mount.resolve(below.getBytes(ISO_8859_1));
  }

  /** mountinfo writes blanks, tabs, newlines and backslashes as octal numbers (proc(5)). */
  private static String unescape(String text) {
    return text.replace("\\040", " ")
        .replace("\\011", "\t")
        .replace("\\012", "\n")
        .replace("\\134", "\\");
  }
}
