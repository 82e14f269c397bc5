package io.zett.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Everything about a command but its program and arguments. */
record CommandSettings(
    Optional<Path> cwd,
    Map<String, String> env,
    Optional<CommandInput> input,
    Optional<Duration> timeout,
    boolean timeoutDisabled,
    long maxOutputBytes,
    boolean mergesStderr,
    Optional<TerminalSize> terminal,
    boolean isChecked) {

  static final CommandSettings DEFAULT =
      new CommandSettings(
          Optional.empty(),
          Map.of(),
          Optional.empty(),
          Optional.empty(),
          false,
          SandboxCommand.DEFAULT_MAX_OUTPUT_BYTES,
          false,
          Optional.empty(),
          false);

  /** A copy that can be changed before it becomes settings again. */
  static final class Draft {
    Optional<Path> cwd;
    final TreeMap<String, String> env;
    Optional<CommandInput> input;
    Optional<Duration> timeout;
    boolean timeoutDisabled;
    long maxOutputBytes;
    boolean mergesStderr;
    Optional<TerminalSize> terminal;
    boolean isChecked;

    Draft(CommandSettings from) {
      cwd = from.cwd;
      env = new TreeMap<>(from.env);
      input = from.input;
      timeout = from.timeout;
      timeoutDisabled = from.timeoutDisabled;
      maxOutputBytes = from.maxOutputBytes;
      mergesStderr = from.mergesStderr;
      terminal = from.terminal;
      isChecked = from.isChecked;
    }

    CommandSettings settings() {
      return new CommandSettings(
          cwd,
          Collections.unmodifiableMap(env),
          input,
          timeout,
          timeoutDisabled,
          maxOutputBytes,
          mergesStderr,
          terminal,
          isChecked);
    }
  }
}
