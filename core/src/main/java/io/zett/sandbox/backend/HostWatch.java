package io.zett.sandbox.backend;

import io.zett.sandbox.posix.UnixPath;
import java.util.List;

/**
 * What must stay as it is on the host while a command runs: a mount goes with the file that it is
 * on, so whoever removes or replaces a denied file takes its protection away in every sandbox.
 *
 * @param denied files and directories that something is mounted on
 * @param links links, on the way to what is denied, that commands may replace
 * @param absent denied paths that do not exist and where nothing can stand
 */
public record HostWatch(List<UnixPath> denied, List<UnixPath> links, List<UnixPath> absent) {

  /** Nothing. */
  public static final HostWatch NONE = new HostWatch(List.of(), List.of(), List.of());

  /** Copies the lists. */
  public HostWatch {
    denied = List.copyOf(denied);
    links = List.copyOf(links);
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
