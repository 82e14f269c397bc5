package io.zett.sandbox.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** MCP clients of others, as {@code scripts/mcp-clients} fetched them. */
final class Clients {
  private static final Path FOLDER = Path.of("target", "clients").toAbsolutePath();
  private static final Path TRANSCRIPTS = Path.of("target", "mcp-transcripts").toAbsolutePath();

  private Clients() {}

  static Path folder() {
    assumeTrue(
        Files.exists(FOLDER.resolve("fetched")),
        "no MCP clients: scripts/mcp-clients, which needs npm and a network, has not fetched them");
    return FOLDER;
  }

  static Path node() {
    return List.of("/usr/bin/node", "/usr/local/bin/node", "/opt/homebrew/bin/node").stream()
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst()
        .orElseGet(
            () -> {
              assumeTrue(false, "Node is not installed: clients that run on it are not tried");
              throw new AssertionError();
            });
  }

  /** The inspector's command line. */
  static List<String> inspector() {
    return List.of(
        node().toString(),
        folder()
            .resolve("node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js")
            .toString(),
        "--cli");
  }

  /**
   * Runs a client to its end.
   *
   * @param name of the transcript that is kept: what it prints on standard output
   * @param home for what the client keeps
   * @return the transcript
   */
  static Path run(String name, Path home, List<String> client, List<String> server)
      throws IOException, InterruptedException {
    Path transcript = Files.createDirectories(TRANSCRIPTS).resolve(name);
    Path errors = TRANSCRIPTS.resolve(name + ".errors");
    List<String> words = new ArrayList<>(client);
    words.addAll(server);
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(transcript.toFile())
            .redirectError(errors.toFile());
    builder.environment().put("HOME", home.toString());
    Process process = builder.start();
    boolean ended = process.waitFor(120, TimeUnit.SECONDS);
    if (!ended) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    assertThat(ended).as("the client ends; it printed %s", Files.readString(transcript)).isTrue();
    assertThat(process.exitValue())
        .as("%s%s", Files.readString(transcript), Files.readString(errors))
        .isZero();
    return transcript;
  }
}
