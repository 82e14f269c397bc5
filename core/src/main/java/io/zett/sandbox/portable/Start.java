package io.zett.sandbox.portable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A program to be started: the one place that uses {@link ProcessBuilder}.
 *
 * @param words the program's file and its arguments
 * @param environment all of its variables
 * @param directory where it starts
 * @param merged whether its error output goes into its output
 */
public record Start(
    List<String> words, Map<String, String> environment, Path directory, boolean merged) {

  public Start {
    words = List.copyOf(words);
    environment = Map.copyOf(environment);
  }

  Process begin() throws IOException {
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().clear();
    builder.environment().putAll(environment);
    return builder.directory(directory.toFile()).redirectErrorStream(merged).start();
  }

  /**
   * What a tool of the system writes.
   *
   * @throws IOException if it is not there or fails
   */
  static String output(List<String> words) throws IOException {
    Process tool = new Start(words, Map.of("LC_ALL", "C"), Path.of("/"), true).begin();
    tool.getOutputStream().close();
    String text;
    try (InputStream stream = tool.getInputStream()) {
      text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
    int status = Uninterrupted.waitFor(tool);
    if (status != 0) {
      throw new IOException(
          words.getFirst() + " ended with status " + status + ": " + text.strip());
    }
    return text;
  }
}
