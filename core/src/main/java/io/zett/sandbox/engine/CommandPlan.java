package io.zett.sandbox.engine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.posix.UnixPath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A command as the kernel will get it; made, and refused, before anything starts. Immutable.
 *
 * @param command what the caller asked for
 * @param arguments its words
 * @param environment its variables as {@code NAME=value}
 * @param directory where it starts
 * @param timeout its time; empty for no bound
 */
record CommandPlan(
    SandboxCommand command,
    List<byte[]> arguments,
    List<byte[]> environment,
    UnixPath directory,
    Optional<Duration> timeout) {

  private static final String TERM = "TERM=";

  /**
   * Checks a command against a sandbox.
   *
   * @param usual the time of a command that says nothing about it
   * @throws IllegalArgumentException if it is more than the kernel takes
   */
  static CommandPlan of(Opened opened, SandboxCommand command, Optional<Duration> usual) {
    List<byte[]> arguments = CommandArguments.of(command);
    List<byte[]> environment = environment(opened, command);
    CommandArguments.check(environment, arguments);
    return new CommandPlan(
        command,
        arguments,
        environment,
        directory(opened.workspace(), command.cwd()),
        timeout(command, usual));
  }

  private static List<byte[]> environment(Opened opened, SandboxCommand command) {
    List<byte[]> variables = opened.environment().of(command.env());
    if (command.terminal().isEmpty() || variables.stream().anyMatch(CommandPlan::isTerm)) {
      return variables;
    }
    List<byte[]> more = new ArrayList<>(variables);
    more.add((TERM + "xterm-256color").getBytes(US_ASCII));
    return List.copyOf(more);
  }

  private static boolean isTerm(byte[] variable) {
    int length = Math.min(variable.length, TERM.length());
    return new String(variable, 0, length, ISO_8859_1).equals(TERM);
  }

  private static UnixPath directory(UnixPath workspace, Optional<Path> cwd) {
    // Against the workspace as a path, so that ".." means what it means everywhere.
    return cwd.map(path -> UnixPath.of(workspace.toPath().resolve(path).normalize()))
        .orElse(workspace);
  }

  private static Optional<Duration> timeout(SandboxCommand command, Optional<Duration> usual) {
    if (command.timeoutDisabled()) {
      return Optional.empty();
    }
    return command.timeout().or(() -> usual);
  }
}
