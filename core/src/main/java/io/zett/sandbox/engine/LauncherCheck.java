package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxUnavailableException;
import io.zett.sandbox.host.LauncherSearch;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;

/** bubblewrap on this machine: found, and seen to work once in this process. */
final class LauncherCheck {
  private LauncherCheck() {}

  static UnixPath usable(Posix posix) {
    String override = System.getProperty(LauncherSearch.PROPERTY);
    LauncherSearch search =
        LauncherSearch.of(posix, "bwrap", override == null ? null : UnixPath.ofText(override));
    return search
        .found()
        .orElseThrow(
            () -> new SandboxUnavailableException("bubblewrap is missing", "install bubblewrap"));
  }
}
