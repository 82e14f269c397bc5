package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxUnavailableException;
import io.zett.sandbox.backend.InitCommand;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixUnavailableException;
import io.zett.sandbox.process.EventLoop;
import io.zett.sandbox.process.StraySweep;
import org.jspecify.annotations.Nullable;

/**
 * What all open sandboxes of this JVM share: the event loop, which is also the one thread that
 * starts sandboxes.
 *
 * <p>A parent-death signal is sent when the thread that started the child ends (prctl(2)), so the
 * loop lives as long as any sandbox is open. It does not live longer, because {@code System.exit}
 * waits 300 ms for a thread that sits in a native call. Thread-safe.
 */
final class Shared {
  private static final Shared INSTANCE = new Shared();

  private @Nullable EventLoop loop;
  private @Nullable FileNotices notices;
  private int leases;
  private boolean swept;

  private Shared() {}

  static Shared get() {
    return INSTANCE;
  }

  /** The calls of this machine, or why there are none. */
  static Posix posix() {
    try {
      return Posix.system();
    } catch (PosixUnavailableException e) {
      throw new SandboxUnavailableException(
          String.valueOf(e.getMessage()),
          "start java with --enable-native-access=io.zett.sandbox (on the class path:"
              + " --enable-native-access=ALL-UNNAMED), on Linux with x86-64 or AArch64",
          e);
    }
  }

  /** The loop, kept alive until {@link #release}. */
  synchronized EventLoop acquire(Posix posix) {
    if (!swept) {
      swept = true;
      OpenEngines.get().watchEnd();
      sweepStrays(posix);
    }
    EventLoop running = loop;
    if (running == null || running.hasEnded()) {
      notices = null;
      running = EventLoop.start(posix);
      loop = running;
    }
    leases++;
    return running;
  }

  /** Nobody waits for it: what it ends is idle, and a look at every process takes a while. */
  private static void sweepStrays(Posix posix) {
    try {
      Thread.ofPlatform()
          .daemon()
          .name("zett-stray-sweep")
          .start(new StraySweep(posix, InitCommand.NAME)::run);
    } catch (OutOfMemoryError e) {
      // No thread can be had: what is stray is idle, and the next JVM looks for it.
    }
  }

  /** What the kernel tells about files, while the loop is alive. */
  synchronized FileNotices notices(Posix posix) {
    EventLoop alive = loop;
    if (alive == null) {
      throw new IllegalStateException("no sandbox is open");
    }
    FileNotices made = notices;
    if (made == null) {
      made = new FileNotices(posix, alive);
      notices = made;
    }
    return made;
  }

  void release() {
    EventLoop ended = null;
    synchronized (this) {
      if (--leases == 0) {
        ended = loop;
        loop = null;
        FileNotices silent = notices;
        notices = null;
        if (ended != null && silent != null) {
          ended.execute(silent::close);
        }
      }
    }
    if (ended != null) {
      ended.close();
    }
  }
}
