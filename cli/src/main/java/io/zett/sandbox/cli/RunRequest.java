package io.zett.sandbox.cli;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What {@code zett run} was asked to do.
 *
 * @param workspace null for a private one
 */
record RunRequest(
    SandboxPolicy policy,
    @Nullable Path workspace,
    SandboxCommand command,
    boolean json,
    boolean verbose) {

  /**
   * Of each stream: the object is built in memory, and text in it takes several times its bytes.
   */
  private static final long MOST_OUTPUT = 64L << 20;

  /**
   * Reads the parsed options.
   *
   * @param hostVariable the caller's variables
   * @throws UsageException if one of them cannot be used
   * @throws IllegalArgumentException if the library refuses their combination
   */
  static RunRequest of(ParsedOptions parsed, Function<String, Optional<String>> hostVariable) {
    return new RunRequest(
        // A command line is watched by whoever typed it: no time limit unless one is asked for.
        parsed.policy(SandboxPolicy.builder().noTimeout(), PolicyOption.ALL, hostVariable),
        parsed.path("--workspace").orElse(null),
        command(parsed),
        parsed.has("--json"),
        parsed.has("--verbose"));
  }

  private static SandboxCommand command(ParsedOptions parsed) {
    List<String> words = parsed.words();
    Optional<String> shellText = parsed.last("-c");
    if (shellText.isPresent() && !words.isEmpty()) {
      throw new UsageException(
          "-c takes the whole shell text in one word; nothing may follow it, but \""
              + words.getFirst()
              + "\" does");
    }
    if (shellText.isEmpty() && words.isEmpty()) {
      throw new UsageException("no program is given", "example: zett run --workspace . -- make");
    }
    SandboxCommand command =
        refusedAsUsage(
            () -> shellText.map(SandboxCommand::shell).orElseGet(() -> SandboxCommand.of(words)));
    Optional<Path> cwd = parsed.path("--cwd");
    if (cwd.isPresent()) {
      command = command.cwd(cwd.get());
    }
    Optional<String> cap = parsed.last("--max-output-bytes");
    return cap.isPresent() ? command.maxOutputBytes(outputBytes(cap.get())) : command;
  }

  private static SandboxCommand refusedAsUsage(Supplier<SandboxCommand> made) {
    try {
      return made.get();
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private static long outputBytes(String text) {
    try {
      long bytes = Numbers.whole(text);
      if (bytes > MOST_OUTPUT) {
        throw new IllegalArgumentException(
            bytes
                + " is more than one JSON object can hold here; at most "
                + MOST_OUTPUT
                + ", or leave --json out: then the output streams through uncapped");
      }
      return bytes;
    } catch (IllegalArgumentException e) {
      throw new UsageException("--max-output-bytes: " + e.getMessage());
    }
  }
}
