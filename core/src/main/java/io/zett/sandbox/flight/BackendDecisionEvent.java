package io.zett.sandbox.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** {@code io.zett.sandbox.BackendDecision}. */
@Name("io.zett.sandbox.BackendDecision")
@Label("Backend Decision")
@Category("Zett Sandbox")
@Description("The choice of a backend, for a session or for a report of what is possible")
@StackTrace(false)
final class BackendDecisionEvent extends Event {
  @Label("Requested")
  @Description("What the policy asked for")
  @Nullable String requested;

  @Label("Backend")
  @Description("What was tried")
  @Nullable String backend;

  @Label("Usable")
  boolean usable;

  @Label("Reason")
  @Description("Why it is used, or why it cannot be")
  @Nullable String reason;

  @Label("Launcher")
  @Description("The program that builds the sandboxes")
  @Nullable String launcher;

  @Label("Launcher Version")
  @Nullable String launcherVersion;
}
