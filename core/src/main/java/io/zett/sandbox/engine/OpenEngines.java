package io.zett.sandbox.engine;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The open sandboxes of this JVM, which are closed at its end. Thread-safe. */
final class OpenEngines {
  private static final OpenEngines INSTANCE = new OpenEngines();

  private final Set<Engine> open = new LinkedHashSet<>();
  private boolean hooked;

  private OpenEngines() {}

  static OpenEngines get() {
    return INSTANCE;
  }

  /** Before the first one opens, so that none is ever missed. */
  synchronized void watchEnd() {
    if (!hooked) {
      hooked = true;
      Runtime.getRuntime()
          .addShutdownHook(
              Thread.ofPlatform().name("zett-shutdown").unstarted(this::closeEverything));
    }
  }

  synchronized void add(Engine engine) {
    open.add(engine);
  }

  synchronized void remove(Engine engine) {
    open.remove(engine);
  }

  /** At the end of the JVM: nothing of any sandbox is left behind. */
  private void closeEverything() {
    List<Engine> left;
    synchronized (this) {
      left = List.copyOf(open);
    }
    left.forEach(Engine::cancelAll); // all at once, before the first is waited for
    left.forEach(Engine::close);
  }
}
