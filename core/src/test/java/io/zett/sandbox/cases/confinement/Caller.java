package io.zett.sandbox.cases.confinement;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.zett.sandbox.HomeMode;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxException;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A program that uses the library, in a JVM of its own: what a command may not learn or inherit of
 * its caller can only be tested with a caller made for it.
 *
 * <p>Its words are {@code key=value}: {@code workspace}, {@code allowRead}, {@code denyRead},
 * {@code denyWrite}, {@code writable}, {@code protect}, {@code home}, {@code network}, {@code
 * timeout} in seconds of what follows, and {@code run}, each a shell text. It writes what the
 * commands write.
 */
final class Caller {

  private Caller() {}

  /** The words that start it. */
  static List<String> words(Scene scene, String... more) {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1"));
    words.addAll(List.of("-XX:+UseSerialGC", "-XX:-UsePerfData"));
    words.addAll(List.of("-cp", System.getProperty("java.class.path"), Caller.class.getName()));
    words.add("workspace=" + scene.workspace);
    words.add("allowRead=" + scene.base);
    words.addAll(List.of(more));
    return words;
  }

  /** Runs it with variables added to its environment. */
  static Unsandboxed.End run(Scene scene, Map<String, String> environment, String... more)
      throws IOException, InterruptedException {
    return Unsandboxed.end(start(scene, environment, words(scene, more)));
  }

  static Process start(Scene scene, Map<String, String> environment, List<String> words)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(words).directory(scene.base.toFile());
    builder.environment().put("HOME", scene.home.toString());
    builder.environment().putAll(environment);
    return builder.start();
  }

  public static void main(String[] words) {
    SandboxSession.Builder builder = SandboxSession.builder().scratchSize("16MiB");
    List<SandboxCommand> commands = new ArrayList<>();
    Duration timeout = Duration.ofSeconds(50);
    for (String word : words) {
      String value = word.substring(word.indexOf('=') + 1);
      switch (word.substring(0, word.indexOf('='))) {
        case "workspace" -> builder.workspace(Path.of(value));
        case "allowRead" -> builder.allowRead(Path.of(value));
        case "denyRead" -> builder.denyRead(Path.of(value));
        case "writable" -> builder.writable(Path.of(value));
        case "protect" -> builder.protectDeveloperFiles(Boolean.parseBoolean(value));
        case "denyWrite" -> builder.denyWrite(Path.of(value));
        case "home" -> builder.home(HomeMode.of(value));
        case "network" -> builder.network(Boolean.parseBoolean(value));
        case "timeout" -> timeout = Duration.ofSeconds(Long.parseLong(value));
        case "run" -> commands.add(SandboxCommand.shell(value).timeout(timeout));
        default -> throw new IllegalArgumentException(word);
      }
    }
    try (SandboxSession session = builder.open()) {
      for (SandboxCommand command : commands) {
        SandboxResult result = session.run(command);
        System.out.writeBytes(result.stdoutBytes());
        System.err.writeBytes(result.stderrBytes());
        System.out.flush();
      }
    } catch (SandboxException e) {
      System.out.writeBytes(("failed: " + e.getMessage() + "\n").getBytes(UTF_8));
      System.exit(3);
    }
  }
}
