package io.zett.sandbox.engine;

import io.zett.sandbox.ResourceReport;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxUnavailableException;
import io.zett.sandbox.limits.LimitPlan;

/** What a sandbox of a policy would enforce on Linux, told without opening one. */
final class Reports {
  private Reports() {}

  /** Never throws for a backend that cannot be used: then nothing is enforced, and that is said. */
  static ResourceReport of(SandboxPolicy policy) {
    BackendChoice choice;
    try {
      choice = BackendChoice.make(policy);
    } catch (SandboxUnavailableException e) {
      return NoReport.of(BackendChoice.kind(policy), e);
    }
    return new ResourceReport(
        choice.backend().kind(),
        choice.isolated(),
        LimitPlan.report(choice.posix(), policy, choice.surroundings()));
  }
}
