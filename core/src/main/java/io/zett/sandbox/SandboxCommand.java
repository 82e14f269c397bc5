package io.zett.sandbox;

import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A command to run in a sandbox: a program with its arguments, or a text for the shell. Immutable;
 * the methods with an argument give changed copies. Two are equal if they say the same, streams
 * compared by identity.
 *
 * <p>Texts reach the program in UTF-8, whatever the caller's locale. {@link #toString()} shows the
 * program, the number of arguments and the names of variables, never values, input or the shell
 * text.
 */
public final class SandboxCommand {
  /** Bytes of each output stream that are kept unless a command says otherwise: 1 MiB. */
  public static final long DEFAULT_MAX_OUTPUT_BYTES = 1_048_576;

  private final List<String> arguments;
  private final @Nullable String shellText;
  private final CommandSettings settings;

  private SandboxCommand(
      List<String> arguments, @Nullable String shellText, CommandSettings settings) {
    this.arguments = arguments;
    this.shellText = shellText;
    this.settings = settings;
  }

  /**
   * A text for {@code /bin/sh -c} (Windows: {@code cmd.exe /d /s /c}), exactly as it is.
   *
   * @throws IllegalArgumentException if it holds a NUL character or half of a surrogate pair
   */
  public static SandboxCommand shell(String text) {
    Texts.passable("the shell text", text);
    return new SandboxCommand(Shell.arguments(text), text, CommandSettings.DEFAULT);
  }

  /**
   * A program and its arguments; nothing is parsed. A program without {@code /} is looked for in
   * the {@code PATH} of the command.
   *
   * @throws IllegalArgumentException if the program is empty, or one of the texts is null or holds
   *     a NUL character or half of a surrogate pair
   */
  public static SandboxCommand of(String program, String... args) {
    List<String> arguments = new ArrayList<>(args.length + 1);
    arguments.add(Objects.requireNonNull(program, "program"));
    Collections.addAll(arguments, args);
    return of(arguments);
  }

  /**
   * A program and its arguments; nothing is parsed. A program without {@code /} is looked for in
   * the {@code PATH} of the command.
   *
   * @param arguments the program first; copied
   * @throws IllegalArgumentException if the list or the program is empty, or one of the texts is
   *     null or holds a NUL character or half of a surrogate pair
   */
  public static SandboxCommand of(List<String> arguments) {
    List<String> copy = new ArrayList<>(arguments);
    if (copy.isEmpty()) {
      throw new IllegalArgumentException("the command is empty; its first element is the program");
    }
    for (int i = 0; i < copy.size(); i++) {
      String what = i == 0 ? "the program" : "argument " + i;
      if (copy.get(i) == null) {
        throw new IllegalArgumentException(what + " is null");
      }
      Texts.passable(what, copy.get(i));
    }
    if (copy.getFirst().isEmpty()) {
      throw new IllegalArgumentException("the program is empty; its name comes first");
    }
    return new SandboxCommand(List.copyOf(copy), null, CommandSettings.DEFAULT);
  }

  /**
   * With another working directory. Default: the workspace.
   *
   * @param directory relative to the workspace, or absolute
   * @throws IllegalArgumentException if it is empty or begins with {@code ~}
   */
  public SandboxCommand cwd(Path directory) {
    Path checked = GivenPath.checked("cwd", directory);
    return with(draft -> draft.cwd = Optional.of(checked));
  }

  /**
   * With one more variable, which wins over the session's and the host's of that name.
   *
   * @throws IllegalArgumentException if the name is empty or holds {@code =}, or one of the two
   *     holds a NUL character
   */
  public SandboxCommand env(String name, String value) {
    return env(
        Map.of(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value")));
  }

  /**
   * With more variables, which win over the session's and the host's of these names.
   *
   * @throws IllegalArgumentException as {@link #env(String, String)}, and for a null in the map
   */
  public SandboxCommand env(Map<String, String> variables) {
    return with(
        draft -> variables.forEach((name, value) -> Texts.putVariable(draft.env, name, value)));
  }

  /**
   * With a text, in UTF-8, on its standard input. Default: an empty input.
   *
   * @throws IllegalArgumentException if it holds half of a surrogate pair
   */
  public SandboxCommand input(String text) {
    return input(new CommandInput.Text(text));
  }

  /** With bytes, which are copied, on its standard input. Default: an empty input. */
  public SandboxCommand input(byte[] bytes) {
    return input(new CommandInput.Bytes(bytes));
  }

  /**
   * With the content of a file, read by the caller's process, on its standard input. Default: an
   * empty input.
   *
   * @param file relative to the caller's current directory, or absolute
   * @throws IllegalArgumentException if it is empty or begins with {@code ~}
   */
  public SandboxCommand input(Path file) {
    return input(new CommandInput.File(file));
  }

  /**
   * With what a stream gives on its standard input. The stream is read while the command runs and
   * is not closed; it can be read once, so this command is to be run once. Default: an empty input.
   */
  public SandboxCommand input(InputStream stream) {
    return input(new CommandInput.Stream(stream));
  }

  private SandboxCommand input(CommandInput input) {
    return with(draft -> draft.input = Optional.of(input));
  }

  /**
   * With a time limit of its own, instead of the session's.
   *
   * @param limit wall time from its first instruction; positive, however long
   * @throws IllegalArgumentException if it is not positive
   */
  public SandboxCommand timeout(Duration limit) {
    return timeout(Optional.of(Bounds.timeout(limit)));
  }

  /** Without a time limit, whatever the session's is. */
  public SandboxCommand noTimeout() {
    return timeout(Optional.empty());
  }

  private SandboxCommand timeout(Optional<Duration> limit) {
    return with(
        draft -> {
          draft.timeout = limit;
          draft.timeoutDisabled = limit.isEmpty();
        });
  }

  /**
   * Keeping so much of each output stream, from its beginning; the rest is counted and thrown away,
   * and the command is not held up. Default: 1,048,576.
   *
   * @param bytes 0 or more; no array of Java holds more than about 2^31
   * @throws IllegalArgumentException if it is negative
   */
  public SandboxCommand maxOutputBytes(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException(
          "maxOutputBytes: " + bytes + " is negative; 0 keeps no output");
    }
    return with(draft -> draft.maxOutputBytes = bytes);
  }

  /** With its error output put into its standard output, in the order of writing. */
  public SandboxCommand mergeStderr() {
    return with(draft -> draft.mergesStderr = true);
  }

  /**
   * In a terminal of its own, for programs that want one: a prompt, an editor, a progress bar. All
   * three standard streams are that terminal, so its error output is in its output, lines end with
   * CR and LF, and what is typed is echoed, unless the program says otherwise. The end of its input
   * is typed as Ctrl-D. {@code TERM} is {@code xterm-256color} where no other is given. The
   * terminal is of the sandbox's own {@code /dev/pts} (pty(7), Linux 4.13): a command cannot type
   * into the caller's. Where the JDK starts commands (macOS, Windows), one with a terminal is
   * refused when it is run, by an {@link IllegalArgumentException}. Default: pipes.
   *
   * @param rows lines, 1 to 65,535
   * @param columns characters in a line, 1 to 65,535
   * @throws IllegalArgumentException if one is out of range
   */
  public SandboxCommand terminal(int rows, int columns) {
    TerminalSize size = new TerminalSize(rows, columns);
    return with(draft -> draft.terminal = Optional.of(size));
  }

  /**
   * Running it throws a {@link SandboxCommandException} unless it exits with status 0 inside its
   * time limit.
   */
  public SandboxCommand checked() {
    return with(draft -> draft.isChecked = true);
  }

  private SandboxCommand with(Consumer<CommandSettings.Draft> change) {
    CommandSettings.Draft draft = new CommandSettings.Draft(settings);
    change.accept(draft);
    return new SandboxCommand(arguments, shellText, draft.settings());
  }

  /** The program: the first of the arguments; for a shell text, the shell. */
  public String program() {
    return arguments.getFirst();
  }

  /** The program and its arguments; for a shell text, {@code /bin/sh}, {@code -c} and the text. */
  public List<String> arguments() {
    return arguments;
  }

  /** The text for the shell, if it is one. */
  public Optional<String> shellText() {
    return Optional.ofNullable(shellText);
  }

  /** The working directory, relative to the workspace or absolute; empty for the workspace. */
  public Optional<Path> cwd() {
    return settings.cwd();
  }

  /** The command's own variables, sorted by name. */
  public Map<String, String> env() {
    return settings.env();
  }

  /** The standard input; empty for an empty one. */
  public Optional<CommandInput> input() {
    return settings.input();
  }

  /** The command's own time limit; empty for the session's, or none if {@link #timeoutDisabled}. */
  public Optional<Duration> timeout() {
    return settings.timeout();
  }

  /** Whether it has no time limit, whatever the session's is. */
  public boolean timeoutDisabled() {
    return settings.timeoutDisabled();
  }

  /** Bytes of each output stream that are kept. */
  public long maxOutputBytes() {
    return settings.maxOutputBytes();
  }

  /** Whether its error output goes into its standard output; so it does in a terminal. */
  public boolean mergesStderr() {
    return settings.mergesStderr();
  }

  /** The terminal that its standard streams are; empty for pipes. */
  public Optional<TerminalSize> terminal() {
    return settings.terminal();
  }

  /** Whether running it throws unless it exits with status 0. */
  public boolean isChecked() {
    return settings.isChecked();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SandboxCommand command
        && arguments.equals(command.arguments)
        && Objects.equals(shellText, command.shellText)
        && settings.equals(command.settings);
  }

  @Override
  public int hashCode() {
    return Objects.hash(arguments, shellText, settings);
  }

  /** The program, the number of arguments and the names of variables. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("SandboxCommand[");
    if (shellText == null) {
      int count = arguments.size() - 1;
      text.append(program()).append(", ").append(count);
      text.append(count == 1 ? " argument" : " arguments");
    } else {
      text.append(program()).append(", a shell text of ").append(shellText.length());
      text.append(" characters");
    }
    if (!settings.env().isEmpty()) {
      text.append(", env ").append(settings.env().keySet());
    }
    return text.append(']').toString();
  }
}
