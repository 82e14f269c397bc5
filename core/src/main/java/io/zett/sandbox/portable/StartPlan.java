package io.zett.sandbox.portable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How one command is started. Immutable.
 *
 * @param starter what makes everything ready, writes the word that follows it as a line, and
 *     becomes the command, which is the words after that; none for a program started as it is
 * @param command the command's own words
 * @param environment all of its variables
 * @param directory where it starts
 * @param merged whether its error output goes into its output; a starter does that itself
 * @param tools those of a Unix; null on Windows
 */
public record StartPlan(
    List<String> starter,
    List<String> command,
    Map<String, String> environment,
    Path directory,
    boolean merged,
    @Nullable PosixTools tools) {

  public StartPlan {
    starter = List.copyOf(starter);
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
  }

  /** Whether a line on the output says that the command begins; else it begins at once. */
  boolean announces() {
    return !starter.isEmpty();
  }

  /** Whether the first process leads a group of its own. */
  boolean leads() {
    return tools != null && !tools.leader().isEmpty();
  }

  Start start(String token) {
    List<String> words = new ArrayList<>();
    if (tools != null) {
      words.addAll(tools.leader());
    }
    words.addAll(starter);
    if (announces()) {
      words.add(token);
    }
    words.addAll(command);
    return new Start(words, environment, directory, merged && !announces());
  }
}
