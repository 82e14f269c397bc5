package io.zett.sandbox.process;

import io.zett.sandbox.TerminalSize;

/** A running command, for whoever ends it or sends it signals. Thread-safe. */
public interface Followed {

  /**
   * Ends the command with everything it started; the first reason counts, an end already there too.
   */
  void end(EndReason reason);

  /** Changes the size of the command's terminal, if it has one, as soon as it has. */
  void resize(TerminalSize size);

  /**
   * Sends a signal to the command, once it runs.
   *
   * @param everyProcess to all processes of the command, not only to the one that was started
   */
  void signal(int signal, boolean everyProcess);
}
