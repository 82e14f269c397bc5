package io.zett.sandbox.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A C program that starts another one whenever it is asked, as cheaply as that can be done: the
 * baseline of most rows. It lives as long as this object, so that a start of it is in no figure.
 */
final class SpawnLoop implements AutoCloseable {
  private final Process process;
  private final Writer questions;
  private final BufferedReader answers;
  private final List<String> command;

  private SpawnLoop(Process process, List<String> command) {
    this.process = process;
    this.questions = process.outputWriter();
    this.answers = process.inputReader();
    this.command = command;
  }

  /** Runs the program once: milliseconds from before its start to its end. */
  double milliseconds() throws IOException {
    questions.write("1\n");
    questions.flush();
    String answer = answers.readLine();
    if (answer == null) {
      throw new IOException("did not end well: " + String.join(" ", command));
    }
    return Long.parseLong(answer) / 1e6;
  }

  @Override
  public void close() throws IOException {
    questions.close();
    answers.close();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
    }
  }

  /** How the program is started; see the C file. */
  static final class Builder {
    private final List<String> words = new ArrayList<>();
    private final List<String> command;
    private List<String> wrapper = List.of();
    private @Nullable Path root;
    private boolean quiet;

    Builder(Path spawnLoop, List<String> command) {
      this.command = List.copyOf(command);
      words.add(spawnLoop.toString());
    }

    /** With this process's environment; else with none. */
    Builder withEnvironment() {
      words.add("-e");
      return this;
    }

    /** With a copy of a file as one of its descriptors. */
    Builder descriptor(int number, Path file) {
      words.addAll(List.of("-d", number + "=" + file));
      return this;
    }

    /** Its output is read and kept. */
    Builder keepingOutput() {
      words.add("-k");
      return this;
    }

    /** It is given so many zeros to read. */
    Builder fed(long bytes) {
      words.addAll(List.of("-i", Long.toString(bytes)));
      return this;
    }

    /** The whole loop is started by another command, to which its words are appended. */
    Builder in(List<String> command) {
      wrapper = List.copyOf(command);
      return this;
    }

    /** Programs and libraries are searched below this folder, too. */
    Builder searching(Path folder) {
      root = folder;
      return this;
    }

    /** What it complains of is not shown. */
    Builder quietly() {
      quiet = true;
      return this;
    }

    SpawnLoop start() throws IOException {
      List<String> line = new ArrayList<>(wrapper);
      line.addAll(words);
      line.add("--");
      line.addAll(command);
      ProcessBuilder builder = new ProcessBuilder(line);
      if (root != null) {
        search(builder.environment(), root);
      }
      builder.redirectError(
          quiet ? ProcessBuilder.Redirect.DISCARD : ProcessBuilder.Redirect.INHERIT);
      return new SpawnLoop(builder.start(), command);
    }

    private static void search(Map<String, String> environment, Path root) throws IOException {
      String path = environment.getOrDefault("PATH", "/usr/bin:/bin");
      environment.put(
          "PATH", root.resolve("usr/bin") + ":" + root.resolve("usr/sbin") + ":" + path);
      Path libraries = root.resolve("usr/lib");
      if (Files.isDirectory(libraries)) {
        try (Stream<Path> folders = Files.list(libraries)) {
          environment.put(
              "LD_LIBRARY_PATH", folders.map(Path::toString).collect(Collectors.joining(":")));
        }
      }
    }
  }
}
