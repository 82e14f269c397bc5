package io.zett.sandbox.backend;

import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.host.HostView;
import io.zett.sandbox.posix.UnixPath;
import java.util.Set;

/**
 * All that a launch depends on.
 *
 * @param policy what is allowed
 * @param view what is on the disk
 * @param files the session's own files
 * @param placeholders what stands at denied paths that do not exist, held by the caller
 */
public record LaunchRequest(
    SandboxPolicy policy, HostView view, SessionFiles files, Set<UnixPath> placeholders) {

  public LaunchRequest {
    placeholders = Set.copyOf(placeholders);
  }
}
