package io.zett.sandbox.process;

/** Where an output stream of a command goes. */
public sealed interface Sink permits Backlog, Capture, Relay {

  /** Bytes that the command wrote, kept or not. To be read once the command has ended. */
  long total();
}
