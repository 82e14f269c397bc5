package io.zett.sandbox.workspace;

import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;

/** One hold on a placeholder; it stays at least until this is closed. Thread-safe. */
public final class Placeholder implements AutoCloseable {

  private final Slot slot;
  private final Hold.Held held;
  private boolean closed;

  Placeholder(Slot slot, Hold.Held held) {
    this.slot = slot;
    this.held = held;
  }

  /** Where it is. */
  public UnixPath path() {
    return slot.path();
  }

  /**
   * Whether the path still leads to what was acquired. False once the host has deleted or replaced
   * it, which takes a mask off it as well. A placeholder whose files are only registered is
   * compared by the register.
   */
  public synchronized boolean isIntact() {
    return !closed && held.scheme().isIntact(slot, held.lock());
  }

  /** Gives it up; the last holder takes it away. Never throws for what the host has done to it. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      held.scheme().release(slot, held.lock());
    } catch (PosixException e) {
      // It stays as a left-over, which the next one that asks for this path takes away.
    } finally {
      slot.posix().close(held.lock());
      slot.posix().close(slot.folder());
    }
  }

  @Override
  public String toString() {
    return path().toString();
  }
}
