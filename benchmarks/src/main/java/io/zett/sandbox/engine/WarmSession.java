package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxResult;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A session with sandboxes that were started ahead, whose number can be waited for. */
public final class WarmSession implements AutoCloseable {
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final Engine engine;
  private final int size;

  /** Opens one with as many as the policy says. */
  public WarmSession(SandboxPolicy policy) {
    engine = Engine.open(policy, null);
    size = policy.warm();
  }

  /**
   * Waits until nothing is being made: a start in the background would be in every figure.
   *
   * @throws IllegalStateException if that takes a minute
   */
  public void awaitFull() {
    long begin = System.nanoTime();
    while (engine.warm().count() < size) {
      if (System.nanoTime() - begin > PATIENCE_NANOS) {
        throw new IllegalStateException("no sandbox is started ahead");
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  /** Runs a command. */
  public SandboxResult run(SandboxCommand command) {
    return engine.run(command);
  }

  /** How many commands have found a sandbox that was started ahead. */
  public long taken() {
    return engine.warm().taken();
  }

  @Override
  public void close() {
    engine.close();
  }
}
