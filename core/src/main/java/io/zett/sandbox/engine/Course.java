package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;

/** One command's way from its turn to its result; made, and refused, before anything starts. */
interface Course {

  /** What the caller asked for. */
  SandboxCommand command();

  /**
   * Has it started, without waiting for its end; called once.
   *
   * @param run what its caller knows it by: it is told what follows the command, and cancels it
   */
  void begin(CommandRun run);

  /** Waits for its end; called once when it has begun, on that thread or on a later one. */
  SandboxResult finish(CommandRun run);

  /** What the failure of a future of this course means for the caller; the command is dead. */
  RuntimeException failure(Throwable cause);
}
