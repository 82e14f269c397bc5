package io.zett.sandbox.springai;

import io.zett.sandbox.SandboxSession;

/**
 * A bean that changes the session of the auto-configuration before it is opened, after the
 * properties: for what only the application knows. Several are called in the order of Spring.
 */
@FunctionalInterface
public interface SandboxCustomizer {

  /** Changes it. */
  void customize(SandboxSession.Builder session);
}
