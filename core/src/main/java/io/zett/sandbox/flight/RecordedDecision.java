package io.zett.sandbox.flight;

import io.zett.sandbox.SandboxBackend;

/** A decision that becomes a {@link BackendDecisionEvent}. */
final class RecordedDecision implements DecisionFlight {
  private final BackendDecisionEvent event = new BackendDecisionEvent();
  private final SandboxBackend requested;

  private RecordedDecision(SandboxBackend requested) {
    this.requested = requested;
  }

  static DecisionFlight begin(SandboxBackend requested) {
    RecordedDecision decision = new RecordedDecision(requested);
    if (!decision.event.isEnabled()) {
      return UNRECORDED;
    }
    decision.event.begin();
    return decision;
  }

  @Override
  public boolean isRecorded() {
    return true;
  }

  @Override
  public void chosen(SandboxBackend backend, String launcher, String version) {
    event.launcher = launcher;
    event.launcherVersion = version;
    String why =
        requested == SandboxBackend.AUTO
            ? "the sandbox of this platform"
            : "the policy asks for it";
    tell(backend, true, why);
  }

  @Override
  public void refused(SandboxBackend backend, String reason) {
    tell(backend, false, reason);
  }

  private void tell(SandboxBackend backend, boolean usable, String reason) {
    event.requested = requested.wireName();
    event.backend = backend.wireName();
    event.usable = usable;
    event.reason = reason;
    event.commit();
  }
}
