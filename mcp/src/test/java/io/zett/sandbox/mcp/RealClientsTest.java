package io.zett.sandbox.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.zett.sandbox.tools.ToolName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Clients that others wrote; what passed between them and the server is the evidence. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "commands are isolated on Linux only")
class RealClientsTest {
  private static final McpJsonMapper JSON = McpJsonDefaults.getMapper();

  @TempDir Path temporary;
  @TempDir Path home;

  @AfterEach
  void nothingIsLeft() {
    assertThat(temporary).isEmptyDirectory();
  }

  /** The server, behind a shell that writes down its exit status unless the client kills it. */
  private List<String> server(String... options) {
    List<String> words =
        new ArrayList<>(
            List.of("/bin/sh", "-c", "\"$@\"; echo $? >\"$0\"", home.resolve("status").toString()));
    words.addAll(McpProcess.command(Main.class, temporary, options));
    return words;
  }

  @Test
  void theOfficialTypeScriptClientUsesEveryTool() throws Exception {
    Path script =
        Files.write(
            home.resolve("client.mjs"),
            Objects.requireNonNull(getClass().getResourceAsStream("client.mjs")).readAllBytes());
    List<String> client =
        List.of(Clients.node().toString(), script.toString(), Clients.folder().toString());
    Transcript transcript =
        Transcript.read(Clients.run("typescript-client.jsonl", home, client, server()));

    assertThat(transcript.all("client error")).isEmpty();
    assertThat(transcript.one("server")).containsEntry("name", "zett-sandbox");
    assertThat(transcript.value("tools"))
        .asInstanceOf(InstanceOfAssertFactories.LIST)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(ToolName.values()).map(ToolName::wireName).toList());
    assertThat(transcript.one("write_file")).containsEntry("bytes", 13);
    assertThat(transcript.one("read_file")).containsEntry("content", "second\n");
    assertThat(transcript.one("run_program"))
        .containsEntry("stdout", "2 folder/text\n")
        .containsEntry("isError", false);
    assertThat(transcript.all("run_command").getFirst())
        .containsEntry("stdout", "from the client")
        .containsEntry("exitCode", 3)
        .containsEntry("isError", false);
    assertThat(transcript.one("get_capabilities")).containsEntry("isolated", true);
    assertThat(transcript.one("read_output")).containsEntry("text", "got a line\n");
    assertThat(transcript.one("stop_command")).containsEntry("outcome", "canceled");
    assertThat(transcript.one("refused")).containsEntry("isError", true);
    assertThat(transcript.one("unknown tool")).containsEntry("code", -32602);
    assertThat(transcript.one("progress")).containsEntry("message", "running for 1 s");
    assertThat(transcript.all("run_command").get(1)).containsEntry("stdout", "gone\n");
    assertThat(String.valueOf(transcript.value("aborted"))).contains("no more wanted");
    assertThat(transcript.all("run_command").get(2)).containsEntry("stdout", "the lock is free\n");
    assertThat(transcript.value("closed")).isEqualTo(true);
    Object aborted = transcript.sent("notifications/cancelled").getFirst().get("requestId");
    assertThat(transcript.received())
        .noneMatch(message -> Objects.equals(message.get("id"), aborted));
    assertThat(home.resolve("status")).hasContent("0");
  }

  @Test
  void theInspectorFindsNoFaultWithTheTools() throws Exception {
    List<String> client = new ArrayList<>(Clients.inspector());
    client.addAll(List.of("--method", "tools/list", "--strict", "--"));
    Path transcript = Clients.run("inspector-tools.json", home, client, server());
    assertThat(
            McpProcess.object(JSON.readValue(Files.readString(transcript), Object.class))
                .get("tools"))
        .asInstanceOf(InstanceOfAssertFactories.LIST)
        .hasSize(ToolName.values().length);
    assertThat(Path.of(transcript + ".errors")).content().contains("\n0 errors, ");
    assertThat(home.resolve("status")).hasContent("0");
  }

  @Test
  void theInspectorCallsATool() throws Exception {
    List<String> client = new ArrayList<>(Clients.inspector());
    client.addAll(List.of("--method", "tools/call", "--tool-name", "run_command", "--tool-arg"));
    client.addAll(List.of("command=echo seen by the inspector; exit 3", "--"));
    Path transcript = Clients.run("inspector-call.json", home, client, server());
    Map<String, Object> result =
        McpProcess.object(JSON.readValue(Files.readString(transcript), Object.class));
    assertThat(McpProcess.structured(result))
        .containsEntry("stdout", "seen by the inspector\n")
        .containsEntry("exitCode", 3);
    assertThat(home.resolve("status")).hasContent("0");
  }

  /** What the TypeScript client printed. */
  private record Transcript(List<Map<String, Object>> lines) {
    static Transcript read(Path file) throws IOException {
      List<Map<String, Object>> lines = new ArrayList<>();
      for (String line : Files.readAllLines(file)) {
        lines.add(McpProcess.object(JSON.readValue(line, Object.class)));
      }
      return new Transcript(lines);
    }

    Object value(String step) {
      return Objects.requireNonNull(
          lines.stream()
              .filter(line -> step.equals(line.get("step")))
              .findFirst()
              .orElseThrow(() -> new AssertionError("no step " + step))
              .get("value"));
    }

    Map<String, Object> one(String step) {
      return McpProcess.object(value(step));
    }

    List<Map<String, Object>> all(String step) {
      return lines.stream()
          .filter(line -> step.equals(line.get("step")))
          .map(line -> McpProcess.object(line.get("value")))
          .toList();
    }

    /** The parameters of what the client sent. */
    List<Map<String, Object>> sent(String method) {
      return lines.stream()
          .filter(line -> line.containsKey("sent"))
          .map(line -> McpProcess.object(line.get("sent")))
          .filter(message -> method.equals(message.get("method")))
          .map(message -> McpProcess.object(message.get("params")))
          .toList();
    }

    List<Map<String, Object>> received() {
      return lines.stream()
          .filter(line -> line.containsKey("received"))
          .map(line -> McpProcess.object(line.get("received")))
          .toList();
    }
  }
}
