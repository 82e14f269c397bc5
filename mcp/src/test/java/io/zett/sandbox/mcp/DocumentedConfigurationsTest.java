package io.zett.sandbox.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.modelcontextprotocol.json.McpJsonDefaults;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What docs/agents.md has clients start is started. */
class DocumentedConfigurationsTest {
  private static final Pattern JSON = Pattern.compile("(?ms)^```json\n(.*?)^```");

  @TempDir Path temporary;
  @TempDir Path project;

  /** The arguments of each server in the examples. */
  static List<List<String>> servers() throws Exception {
    String text = Files.readString(Path.of("../docs/agents.md"));
    String section = text.substring(text.indexOf("## MCP\n"));
    int next = section.indexOf("\n## ", 1);
    List<List<String>> all = new ArrayList<>();
    for (var block :
        JSON.matcher(next < 0 ? section : section.substring(0, next)).results().toList()) {
      Map<String, Object> file =
          McpProcess.object(McpJsonDefaults.getMapper().readValue(block.group(1), Object.class));
      for (Object servers : file.values()) {
        Map<String, Object> server = McpProcess.object(McpProcess.object(servers).get("sandbox"));
        assertThat(server).containsEntry("command", "/path/to/zett");
        all.add(
            ((List<?>) java.util.Objects.requireNonNull(server.get("args")))
                .stream().map(String::valueOf).toList());
      }
    }
    return all;
  }

  @Test
  void thereAreSome() throws Exception {
    assertThat(servers()).hasSize(2);
  }

  @ParameterizedTest
  @MethodSource("servers")
  @EnabledOnOs(value = OS.LINUX, disabledReason = "commands are isolated on Linux only")
  void aClientGetsTheServerThatItsConfigurationNames(List<String> words) throws Exception {
    assertThat(words.getFirst()).isEqualTo("mcp");
    String[] options =
        words.stream()
            .skip(1)
            .map(
                word ->
                    Stream.of("/path/to/project", "${workspaceFolder}").anyMatch(word::equals)
                        ? project.toString()
                        : word)
            .toArray(String[]::new);
    try (McpProcess server = McpProcess.start(temporary, options).initialized()) {
      assertThat(server.run("pwd")).containsEntry("stdout", project.toRealPath() + "\n");
    }
    assertThat(temporary).isEmptyDirectory();
  }
}
