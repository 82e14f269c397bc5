package io.zett.sandbox.tools;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A command to run to its end.
 *
 * @param what the shell text, or the program and its arguments
 * @param cwd relative to the workspace, or absolute; null for the workspace
 * @param stdin its whole input; null for none
 * @param timeoutSeconds more than 0 and at most what the tools allow; null for their default
 */
public record RunRequest(
    What what, @Nullable String cwd, @Nullable String stdin, @Nullable Double timeoutSeconds) {

  /** What is run. */
  public sealed interface What {}

  /** A text for {@code /bin/sh -c}. */
  public record Shell(String text) implements What {
    /** Refuses null. */
    public Shell {
      Objects.requireNonNull(text, "text");
    }
  }

  /** A program and its arguments; nothing is parsed. */
  public record Program(List<String> argv) implements What {
    /** Copies the list. */
    public Program {
      argv = List.copyOf(argv);
    }
  }

  /** Refuses null. */
  public RunRequest {
    Objects.requireNonNull(what, "what");
  }

  /** A shell text in the workspace, without input and with the default time. */
  public static RunRequest shell(String text) {
    return new RunRequest(new Shell(text), null, null, null);
  }

  /** A program in the workspace, without input and with the default time. */
  public static RunRequest program(List<String> argv) {
    return new RunRequest(new Program(argv), null, null, null);
  }

  /** With another directory. */
  public RunRequest in(String directory) {
    return new RunRequest(what, directory, stdin, timeoutSeconds);
  }

  /** With an input. */
  public RunRequest input(String text) {
    return new RunRequest(what, cwd, text, timeoutSeconds);
  }

  /** With another time. */
  public RunRequest timeout(double seconds) {
    return new RunRequest(what, cwd, stdin, seconds);
  }
}
