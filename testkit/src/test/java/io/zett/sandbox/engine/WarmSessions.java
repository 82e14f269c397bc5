package io.zett.sandbox.engine;

import io.zett.sandbox.Sandbox;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.testkit.SandboxFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Sessions whose commands find a sandbox that was started ahead. */
public final class WarmSessions implements SandboxFactory {
  /** How many commands found one; a line for each session but the last. */
  public static final Path LOG = Path.of("target", "warm-attacks.log");

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private @Nullable WarmPool before;

  /** Has opened none. */
  public WarmSessions() {}

  @Override
  public SandboxSession open(SandboxPolicy policy, Path workspace) {
    log();
    SandboxSession session = SandboxSession.builder(policy).workspace(workspace).warm(1).open();
    WarmPool pool = pool(session);
    before = pool;
    long begin = System.nanoTime();
    while (pool.count() == 0) {
      if (System.nanoTime() - begin > PATIENCE_NANOS) {
        session.close();
        throw new IllegalStateException("no sandbox is started ahead");
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    return session;
  }

  private void log() {
    if (before == null) {
      return;
    }
    try {
      Files.writeString(
          LOG, before.taken() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static WarmPool pool(SandboxSession session) {
    Sandbox sandbox = (Sandbox) field(SandboxSession.class, "sandbox", session);
    return ((Engine) field(Sandbox.class, "engine", sandbox)).warm();
  }

  private static Object field(Class<?> owner, String name, Object of) {
    try {
      Field field = owner.getDeclaredField(name);
      field.setAccessible(true);
      return Objects.requireNonNull(field.get(of));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
