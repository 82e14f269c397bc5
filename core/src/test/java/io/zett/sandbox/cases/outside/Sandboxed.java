package io.zett.sandbox.cases.outside;

import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxSession;
import java.time.Duration;

/** Sessions and commands as most tests want them. */
public final class Sandboxed {
  private Sandboxed() {}

  /** A private session. */
  public static SandboxSession session() {
    return SandboxSession.builder().open();
  }

  /** A private session with this backend. */
  public static SandboxSession session(SandboxBackend backend) {
    return SandboxSession.builder().backend(backend).open();
  }

  /** A shell command with a time limit. */
  public static SandboxCommand shell(String text, Duration limit) {
    return SandboxCommand.shell(text).timeout(limit);
  }

  /** The time that something took. */
  public static Duration timed(Runnable action) {
    long begin = System.nanoTime();
    action.run();
    return Duration.ofNanos(System.nanoTime() - begin);
  }
}
