package io.zett.sandbox.engine;

import io.zett.sandbox.posix.Posix;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * What the first sandbox of a JVM takes long for, begun on a thread of its own while the caller
 * still reads what is to be run: linking the native calls, starting the event loop and trying the
 * launcher. Whoever opens a sandbox meanwhile waits for it and finds it done; what fails here is
 * done again there, and told. To be closed after the sandboxes, and before the JVM exits.
 */
public final class HeadStart implements AutoCloseable {
  private final CountDownLatch ended = new CountDownLatch(1);
  private boolean holdsLoop; // written by the thread, read after its end

  private HeadStart() {}

  /** Begins; null when no thread can be had, and where there is nothing that takes long. */
  public static @Nullable HeadStart begin() {
    if (!Platform.current().isNative()) {
      return null;
    }
    try {
      HeadStart begun = new HeadStart();
      Thread.ofPlatform().daemon().name("zett-head-start").start(begun::run);
      return begun;
    } catch (OutOfMemoryError e) {
      return null;
    }
  }

  private void run() {
    try {
      Posix posix = Shared.posix();
      Shared.get().acquire(posix);
      holdsLoop = true;
      LauncherCheck.usable(posix);
    } catch (RuntimeException | OutOfMemoryError e) {
      // Opening a sandbox meets it, too.
    } finally {
      ended.countDown();
    }
  }

  /** Waits for its end, some milliseconds at most after a sandbox was opened. */
  @Override
  public void close() {
    Uninterruptibly.await(ended);
    if (holdsLoop) {
      Shared.get().release();
    }
  }
}
