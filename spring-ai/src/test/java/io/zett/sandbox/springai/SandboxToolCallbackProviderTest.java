package io.zett.sandbox.springai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.tools.SandboxTools;
import io.zett.sandbox.tools.ToolDescription;
import io.zett.sandbox.tools.ToolException;
import io.zett.sandbox.tools.ToolName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.execution.ToolExecutionException;
import tools.jackson.databind.json.JsonMapper;

/** A chat client whose model follows a script, with real commands. */
class SandboxToolCallbackProviderTest {
  private final SandboxSession session = SandboxSession.builder().memory("256MB").open();
  private final SandboxTools tools = SandboxTools.builder(session).build();

  @AfterEach
  void close() {
    tools.close();
    session.close();
  }

  private String chat(ScriptedModel model) {
    return ChatClient.builder(model)
        .defaultToolCallbacks(SandboxToolCallbackProvider.of(tools))
        .build()
        .prompt("go on")
        .call()
        .content();
  }

  @Test
  void aModelRunsCommandsAndReadsAndWritesFiles() {
    ScriptedModel model =
        new ScriptedModel()
            .calls("write_file", "{\"path\": \"src/a.txt\", \"content\": \"one\\ntwo\\n\"}")
            .calls("run_command", "{\"command\": \"wc -l < src/a.txt; exit 3\"}")
            .calls("read_file", "{\"path\": \"src/a.txt\", \"offset\": 2}")
            .calls("list_directory", "{}")
            .calls("start_command", "{\"command\": \"cat\"}")
            .calls("send_input", "{\"id\": \"c2\", \"text\": \"hello\\n\", \"close\": true}")
            .calls("read_output", "{\"id\": \"c2\", \"wait_seconds\": 30}")
            .says("done");
    assertThat(chat(model)).isEqualTo("done");
    assertThat(model.offered())
        .containsExactlyElementsOf(
            tools.descriptions().stream().map(ToolDescription::name).toList());
    assertThat(model.answers()).hasSize(7);
    assertThat(model.answers().get(1)).contains("<exit_code>3</exit_code>", "<stdout>\n2\n");
    assertThat(model.answers().get(2)).isEqualTo("two\n");
    assertThat(model.answers().get(3)).isEqualTo("directory 0 src/\n");
    assertThat(model.answers().get(6)).contains("hello");
  }

  @Test
  void aWrongCallIsAnAnswerThatSaysWhatToDo() {
    ScriptedModel model =
        new ScriptedModel()
            .calls("run_command", "{\"command\": \"true\"")
            .calls("run_command", "[\"true\"]")
            .calls("run_command", "{\"cmd\": \"true\"}")
            .calls("read_file", "{\"path\": \"missing\"}")
            .says("done");
    assertThat(chat(model)).isEqualTo("done");
    assertThat(model.answers().get(0)).startsWith("run_command needs its arguments as a JSON");
    assertThat(model.answers().get(1)).startsWith("run_command needs its arguments as a JSON");
    assertThat(model.answers().get(2)).contains("no parameter \"cmd\"", "command");
    assertThat(model.answers().get(3)).startsWith("missing: ");
  }

  @Test
  void anApplicationCanTellAWrongCallFromACommandThatFails() {
    ToolCallback run = callback("run_command");
    assertThat(run.call("{\"command\": \"exit 4\"}", new ToolContext(Map.of("user", "me"))))
        .contains("<exit_code>4</exit_code>");
    assertThatExceptionOfType(ToolExecutionException.class)
        .isThrownBy(() -> run.call("{}"))
        .withCauseInstanceOf(ToolException.class)
        .satisfies(e -> assertThat(e.getToolDefinition().name()).isEqualTo("run_command"));
    assertThat(callback("list_directory").call("")).contains("empty");
    assertThat(callback("list_directory").call("null")).contains("empty");
  }

  private ToolCallback callback(String name) {
    return List.of(SandboxToolCallbackProvider.of(tools).getToolCallbacks()).stream()
        .filter(one -> one.getToolDefinition().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void definitionsSayWhatTheDescriptionsSay() {
    JsonMapper json = JsonMapper.shared();
    for (ToolDescription description : tools.descriptions()) {
      var definition = callback(description.name()).getToolDefinition();
      assertThat(definition.description()).isEqualTo(description.description());
      assertThat(json.readTree(definition.inputSchema()))
          .isEqualTo(json.valueToTree(description.inputSchema()));
    }
  }

  @Test
  void someOfTheToolsCanBeGiven() {
    assertThat(
            SandboxToolCallbackProvider.of(tools, List.of(ToolName.READ_FILE, ToolName.RUN_PROGRAM))
                .getToolCallbacks())
        .extracting(one -> one.getToolDefinition().name())
        .containsExactly("run_program", "read_file");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SandboxToolCallbackProvider.of(tools, List.of()))
        .withMessageContaining("ToolName");
  }

  @Test
  void aHostileModelReadsNoKeyAndWritesNothingOutside() throws Exception {
    Path outside = Host.outside();
    Path key = Host.key("SECRET");
    Path victim = Files.writeString(outside.resolve("victim"), "as it was");
    ScriptedModel model =
        new ScriptedModel()
            .calls("run_command", "{\"command\": \"cat '" + key + "'; cat /etc/shadow\"}")
            .calls("read_file", "{\"path\": \"" + key + "\"}")
            .calls("run_command", "{\"command\": \"ln -s '" + key + "' link; cat link\"}")
            .calls("read_file", "{\"path\": \"link\"}")
            .calls("run_command", "{\"command\": \"echo x > '" + victim + "'\"}")
            .calls("run_command", "{\"command\": \"ln -s '" + outside + "' out\"}")
            .calls("write_file", "{\"path\": \"out/new\", \"content\": \"x\"}")
            .calls("write_file", "{\"path\": \"" + victim + "\", \"content\": \"x\"}")
            .says("done");
    chat(model);
    assertThat(model.answers())
        .hasSize(8)
        .noneMatch(answer -> answer.contains("SECRET") || answer.contains("root:"))
        .noneMatch(answer -> answer.contains("bytes were written"));
    assertThat(victim).hasContent("as it was");
    assertThat(outside.resolve("new")).doesNotExist();
  }

  @Test
  void closingLeavesNothing() throws Exception {
    String mark = "mark-" + UUID.randomUUID();
    callback("start_command")
        .call("{\"command\": \": " + mark + "; echo up; setsid sleep 1000; true\"}");
    assertThat(callback("read_output").call("{\"id\": \"c1\", \"wait_seconds\": 30}"))
        .contains("up");
    assertThat(Host.runs(mark)).isTrue();
    Path workspace = session.workspace();
    session.close();
    assertThat(Host.runs(mark)).isFalse();
    assertThat(workspace).doesNotExist();
    assertThatExceptionOfType(ToolExecutionException.class)
        .isThrownBy(() -> callback("list_directory").call("{}"))
        .withMessageContaining("closed");
  }
}
