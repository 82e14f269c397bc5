package io.zett.sandbox.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** {@code io.zett.sandbox.LimitDecision}. */
@Name("io.zett.sandbox.LimitDecision")
@Label("Limit Decision")
@Category("Zett Sandbox")
@Description("How a session that has opened enforces a limit, set or not")
@StackTrace(false)
final class LimitDecisionEvent extends Event {
  @SessionId
  @Label("Session")
  long session;

  @Label("Limit")
  @Nullable String limit;

  @Label("Level")
  @Description("full, partial or none")
  @Nullable String level;

  @Label("Mechanism")
  @Nullable String mechanism;

  @Label("Scope")
  @Description("tree: of a command and all that it starts; process: of each process by itself")
  @Nullable String scope;

  @Label("Reason")
  @Nullable String reason;
}
