package io.zett.sandbox.backend;

import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.UnixPath;
import java.util.List;
import java.util.Map;

/**
 * What must stay as it is on the host while a command runs: a mount goes with the file that it is
 * on, so whoever removes or replaces a denied file takes its protection away in every sandbox.
 *
 * @param denied files and directories that something is mounted on
 * @param links links, on the way to what is denied, that commands may replace, as they were seen
 * @param absent denied paths that do not exist and where nothing can stand
 */
public record HostWatch(
    List<UnixPath> denied, Map<UnixPath, FileStatus> links, List<UnixPath> absent) {

  /** Nothing. */
  public static final HostWatch NONE = new HostWatch(List.of(), Map.of(), List.of());

  /** Copies them. */
  public HostWatch {
    denied = List.copyOf(denied);
    links = Map.copyOf(links);
    absent = List.copyOf(absent);
  }

  /** Whether there is nothing to watch. */
  public boolean isEmpty() {
    return denied.isEmpty() && links.isEmpty() && absent.isEmpty();
  }

  /** How many paths it is about. */
  public int size() {
    return denied.size() + links.size() + absent.size();
  }
}
