package io.zett.sandbox.testkit;

import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxSession;
import java.nio.file.Path;

/**
 * A way to open what is attacked. The suite makes one by the public constructor without parameters,
 * in a JVM whose environment holds what an attacker would look for.
 */
@FunctionalInterface
public interface SandboxFactory {

  /**
   * Opens a session.
   *
   * @param policy what the suite asks for; only the choice of a backend may be added
   * @param workspace an existing directory
   */
  SandboxSession open(SandboxPolicy policy, Path workspace);

  /** The library as it is, with the backend that it chooses itself. */
  final class Default implements SandboxFactory {

    /** Has no state. */
    public Default() {}

    @Override
    public SandboxSession open(SandboxPolicy policy, Path workspace) {
      return SandboxSession.builder(policy).workspace(workspace).open();
    }
  }
}
