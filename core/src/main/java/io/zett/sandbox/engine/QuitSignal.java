package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxUnavailableException;
import io.zett.sandbox.posix.Constants;

/**
 * SIGQUIT, which a terminal sends for Ctrl-\. A JVM answers it with a dump of its threads on the
 * caller's streams, and keeps it from Java's signal handlers.
 */
public final class QuitSignal {
  private QuitSignal() {}

  /**
   * Makes it what it is to any program without a handler: the end of this process, and with it of
   * every sandbox, since these die with it. Tools that attach to a JVM by this signal look first
   * whether it is caught, and refuse.
   *
   * @param ignored it shall do nothing, as for the background jobs of a script
   */
  public static void release(boolean ignored) {
    if (!Platform.current().isNative()) {
      return; // The JVM's own handling stays.
    }
    try {
      Shared.posix().releaseSignal(Constants.SIGQUIT, ignored);
    } catch (SandboxUnavailableException e) {
      // No native calls: nothing can be run either, which is told in due course.
    }
  }
}
