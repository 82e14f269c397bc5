package io.zett.sandbox.host;

import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.UnixPath;
import java.util.List;
import java.util.Map;

/**
 * What is on the disk right now, as far as a policy has to do with it. A value: whoever plans with
 * it does not touch the disk.
 *
 * @param host what does not change
 * @param workspace the session's workspace
 * @param rules every rule and where it leads, credentials included
 * @param sockets real paths of listening Unix sockets and of sockets that are mounted
 * @param places directories and files that every sandbox treats alike
 * @param seen what was found at and below the directories that commands may write
 * @param closed directories that commands may write by the policy but not by the disk's
 *     permissions, each with the path that stops them
 */
public record HostView(
    Host host,
    UnixPath workspace,
    List<ViewedRule> rules,
    List<UnixPath> sockets,
    Places places,
    Map<UnixPath, FileStatus> seen,
    Map<UnixPath, UnixPath> closed) {

  public HostView {
    rules = List.copyOf(rules);
    sockets = List.copyOf(sockets);
    seen = Map.copyOf(seen);
    closed = Map.copyOf(closed);
  }

  /**
   * Directories and files that every sandbox treats alike.
   *
   * @param scratch the real directories behind {@code /tmp} and {@code /var/tmp}
   * @param runtime the real directories behind {@code /run} and {@code /var/run}
   * @param home the caller's home directory
   * @param resolver {@code /etc/resolv.conf}
   * @param passwd {@code /etc/passwd}
   * @param group {@code /etc/group}
   * @param system parts of the system that some distributions keep below {@code /run}
   */
  public record Places(
      List<UnixPath> scratch,
      List<UnixPath> runtime,
      ResolvedPath home,
      ResolvedPath resolver,
      ResolvedPath passwd,
      ResolvedPath group,
      List<UnixPath> system) {

    public Places {
      scratch = List.copyOf(scratch);
      runtime = List.copyOf(runtime);
      system = List.copyOf(system);
    }
  }
}
