package io.zett.sandbox.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** {@code io.zett.sandbox.SessionOpen}. */
@Name("io.zett.sandbox.SessionOpen")
@Label("Session Open")
@Category("Zett Sandbox")
@Description("The opening of a session, or of a sandbox without one")
@StackTrace(false)
final class SessionOpenEvent extends Event {
  @SessionId
  @Label("Session")
  long session;

  @Label("Backend")
  @Description("What builds its sandboxes; missing when the opening failed")
  @Nullable String backend;

  @Label("Isolated")
  @Description("Whether commands are kept from the rest of the machine")
  boolean isolated;

  @Label("Private Workspace")
  @Description("Whether the workspace disappears when it closes")
  boolean privateWorkspace;

  @Label("Failed Step")
  @Description("What could not be done, when the opening failed")
  @Nullable String failedStep;
}
