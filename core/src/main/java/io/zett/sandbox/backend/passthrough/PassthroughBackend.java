package io.zett.sandbox.backend.passthrough;

import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.backend.Backend;
import io.zett.sandbox.backend.HostWatch;
import io.zett.sandbox.backend.InitCommand;
import io.zett.sandbox.backend.InsideHome;
import io.zett.sandbox.backend.Launch;
import io.zett.sandbox.backend.LaunchRequest;
import io.zett.sandbox.backend.Sight;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts {@code zett-init} as it is: it collects the command's descendants, so that they end with
 * it, and sets resource limits; files and network are the caller's.
 */
public final class PassthroughBackend implements Backend {

  @Override
  public SandboxBackend kind() {
    return SandboxBackend.PASSTHROUGH;
  }

  @Override
  public boolean hasNamespaces() {
    return false;
  }

  @Override
  public Launch prepare(LaunchRequest request) {
    List<byte[]> argv = new ArrayList<>();
    argv.add(InitCommand.ascii(InitCommand.NAME));
    argv.addAll(InitCommand.arguments("reaper"));
    return new Launch(
        InitCommand.path(),
        argv,
        null,
        null,
        List.of(),
        List.of(),
        InsideHome.withoutNamespaces(request),
        HostWatch.NONE,
        null);
  }

  @Override
  public Sight sight(LaunchRequest request) {
    return Sight.unrestricted();
  }
}
