package io.zett.sandbox.flight;

import io.zett.sandbox.Enforcement;
import io.zett.sandbox.Limit;
import io.zett.sandbox.ResourceReport;

/** An opening that becomes a {@link SessionOpenEvent}, and a {@link LimitDecisionEvent} a limit. */
final class RecordedOpening implements OpeningFlight {
  private final SessionOpenEvent event = new SessionOpenEvent();

  private RecordedOpening() {}

  static OpeningFlight begin(long session) {
    RecordedOpening opening = new RecordedOpening();
    opening.event.session = session;
    opening.event.begin();
    return opening;
  }

  @Override
  public void opened(ResourceReport report, boolean privateWorkspace) {
    event.backend = report.backend().wireName();
    event.isolated = report.isolated();
    event.privateWorkspace = privateWorkspace;
    event.commit();
    report.limits().forEach(this::tell);
  }

  private void tell(Limit limit, Enforcement how) {
    LimitDecisionEvent decision = new LimitDecisionEvent();
    if (decision.isEnabled()) {
      decision.session = event.session;
      decision.limit = limit.wireName();
      decision.level = how.level().wireName();
      decision.mechanism = how.mechanism();
      decision.scope = how.scope().wireName();
      decision.reason = how.detail();
      decision.commit();
    }
  }

  @Override
  public void failed(RuntimeException failure) {
    event.failedStep = FailedStep.of(failure);
    event.commit();
  }
}
