package io.zett.sandbox.soak;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import org.jspecify.annotations.Nullable;

/**
 * How a command ended for its caller: with a result or with an exception.
 *
 * @param wasInterrupted whether the thread that waited had its flag set afterwards
 */
record End(@Nullable SandboxResult result, @Nullable Throwable thrown, boolean wasInterrupted) {

  /** Runs the command on this thread. */
  static End ofRun(SandboxSession session, SandboxCommand command) {
    SandboxResult result = null;
    Throwable thrown = null;
    try {
      result = session.run(command);
    } catch (Throwable failure) {
      thrown = failure;
    }
    return new End(result, thrown, Thread.currentThread().isInterrupted());
  }
}
