package io.zett.sandbox.engine;

import io.zett.sandbox.Enforcement;
import io.zett.sandbox.Limit;
import io.zett.sandbox.ResourceReport;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxUnavailableException;
import java.util.EnumMap;
import java.util.Map;

/** What is told where no sandbox can be opened. */
final class NoReport {
  private NoReport() {}

  static ResourceReport of(SandboxBackend kind, SandboxUnavailableException why) {
    Map<Limit, Enforcement> limits = new EnumMap<>(Limit.class);
    for (Limit limit : Limit.values()) {
      limits.put(limit, Enforcement.none("no command can be run: " + why.problem()));
    }
    return new ResourceReport(kind, false, limits);
  }
}
