package io.zett.sandbox.tools;

/** The tools. */
public enum ToolName {
  /** Runs a shell text and waits for its end. */
  RUN_COMMAND,
  /** Runs a program with its arguments and waits for its end. */
  RUN_PROGRAM,
  /** Reads a text file. */
  READ_FILE,
  /** Writes a text file. */
  WRITE_FILE,
  /** Lists a directory. */
  LIST_DIRECTORY,
  /** Starts a shell text in the background. */
  START_COMMAND,
  /** Reads what a command wrote. */
  READ_OUTPUT,
  /** Writes to a background command. */
  SEND_INPUT,
  /** Ends a background command. */
  STOP_COMMAND,
  /** Says what holds in the sandbox. */
  GET_CAPABILITIES;

  private final String wireName = name().toLowerCase(java.util.Locale.ROOT);

  /** The name that models use, such as {@code run_command}. */
  public String wireName() {
    return wireName;
  }
}
