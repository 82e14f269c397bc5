package io.zett.sandbox.engine;

import io.zett.sandbox.Enforcement;
import io.zett.sandbox.Limit;
import io.zett.sandbox.ResourceReport;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxUnavailableException;
import io.zett.sandbox.limits.LimitPlan;
import java.util.EnumMap;
import java.util.Map;

/** What a sandbox of a policy would enforce, told without opening one. */
final class Reports {
  private Reports() {}

  /** Never throws for a backend that cannot be used: then nothing is enforced, and that is said. */
  static ResourceReport of(SandboxPolicy policy) {
    BackendChoice choice;
    try {
      choice = BackendChoice.make(policy);
    } catch (SandboxUnavailableException e) {
      return unavailable(BackendChoice.kind(policy), e);
    }
    return new ResourceReport(
        choice.backend().kind(),
        choice.isolated(),
        LimitPlan.report(choice.posix(), policy, choice.surroundings()));
  }

  static ResourceReport unavailable(SandboxBackend kind, SandboxUnavailableException why) {
    Map<Limit, Enforcement> limits = new EnumMap<>(Limit.class);
    for (Limit limit : Limit.values()) {
      limits.put(limit, Enforcement.none("no command can be run: " + why.problem()));
    }
    return new ResourceReport(kind, false, limits);
  }
}
