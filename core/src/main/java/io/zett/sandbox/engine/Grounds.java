package io.zett.sandbox.engine;

import io.zett.sandbox.ResourceReport;
import io.zett.sandbox.SandboxPolicy;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Chooses what the sandboxes of this machine run on. On a system whose own calls are not made,
 * nothing is loaded that makes them.
 */
final class Grounds {
  private Grounds() {}

  static Ground open(SandboxPolicy policy, @Nullable Path workspace) {
    Platform platform = Platform.current();
    return platform.isNative()
        ? NativeGround.open(policy, workspace, BackendChoice.make(policy))
        : PortableGrounds.of(platform).open(policy, workspace);
  }

  static ResourceReport report(SandboxPolicy policy) {
    Platform platform = Platform.current();
    return platform.isNative() ? Reports.of(policy) : PortableGrounds.of(platform).report(policy);
  }
}
