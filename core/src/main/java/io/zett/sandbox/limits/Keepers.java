package io.zett.sandbox.limits;

/**
 * Starts processes that do nothing. A systemd scope needs one: it lives as long as something is in
 * it. The engine fills this in.
 */
@FunctionalInterface
public interface Keepers {

  /** Starts one. */
  Keeper start();

  /** A process that does nothing until it is closed, or until this JVM ends in whatever way. */
  interface Keeper extends AutoCloseable {

    int pid();

    /** Ends it, and waits until it is gone. */
    @Override
    void close();
  }
}
