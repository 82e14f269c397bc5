package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxBackend;
import java.util.concurrent.atomic.AtomicBoolean;

/** Says once in the life of a JVM that commands are run without a sandbox. */
final class Unisolated {
  private static final System.Logger LOG = System.getLogger("io.zett.sandbox");
  private static final AtomicBoolean SAID = new AtomicBoolean();

  private Unisolated() {}

  /** A sandbox that is none was opened. */
  static void announce(SandboxBackend backend) {
    if (SAID.compareAndSet(false, true)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the backend {0} isolates nothing: commands read, write, connect to and signal whatever"
              + " this user can, whatever the policy says; capabilities() tells which limits hold",
          backend.wireName());
    }
  }
}
