package io.zett.sandbox.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Harmless forms of attacks, run on the host itself by one shell: a JVM takes long to start
 * processes.
 */
final class HostRun implements AutoCloseable {

  private static final int SECONDS = 30;

  private final Process shell;
  private final Writer commands;
  private final BufferedReader answers;

  HostRun(Scene scene, Map<String, String> variables) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("/bin/sh").redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().putAll(variables);
    builder.environment().put("HOME", scene.home.toString());
    builder.environment().put("ZETT_ON_THE_HOST", "1");
    shell = builder.start();
    commands = shell.outputWriter(UTF_8);
    answers = shell.inputReader(UTF_8);
  }

  /** Whether a script exits with 0, in the last round if there are several. */
  boolean succeeds(int id, String mark, String script, Setting setting) throws IOException {
    String answer = "";
    for (int round = 1; round <= setting.rounds(); round++) {
      commands.write(
          "cd $W; export ID="
              + id
              + " MARK="
              + mark
              + " ROUND="
              + round
              + "\ntimeout "
              + SECONDS
              + " /bin/sh -c '"
              + script.replace("'", "'\\''")
              + "' >/dev/null 2>&1 <"
              + (setting == Setting.INPUT ? "$H/file" : "/dev/null")
              + "; echo $?; cd /\n");
      commands.flush();
      answer = String.valueOf(answers.readLine());
    }
    return answer.equals("0");
  }

  @Override
  public void close() throws IOException {
    commands.close();
    shell.destroyForcibly();
  }

  /**
   * The processes of this machine that have a mark among the words of their command line.
   *
   * @param beginning how the marks begin
   * @return each mark with the processes that bear it
   */
  static Map<String, List<Long>> marked(String beginning) throws IOException {
    Map<String, List<Long>> found = new HashMap<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : all) {
        for (String word : words(process)) {
          if (word.startsWith(beginning)) {
            found
                .computeIfAbsent(word, _ -> new ArrayList<>())
                .add(Long.parseLong(process.getFileName().toString()));
          }
        }
      }
    }
    return found;
  }

  private static List<String> words(Path process) {
    try {
      byte[] line = Files.readAllBytes(process.resolve("cmdline"));
      return List.of(new String(line, java.nio.charset.StandardCharsets.ISO_8859_1).split("\0"));
    } catch (IOException e) {
      return List.of(); // It has ended.
    }
  }

  /** Ends them. */
  static void end(List<Long> processes) {
    for (long process : processes) {
      ProcessHandle.of(process).ifPresent(ProcessHandle::destroyForcibly);
    }
  }
}
