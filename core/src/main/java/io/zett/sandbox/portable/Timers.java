package io.zett.sandbox.portable;

import java.time.Duration;

/** Has things done later. */
@FunctionalInterface
public interface Timers {

  /**
   * Does it after that time, on a thread where nothing may block.
   *
   * @return what takes that back
   */
  Runnable after(Duration delay, Runnable action);
}
