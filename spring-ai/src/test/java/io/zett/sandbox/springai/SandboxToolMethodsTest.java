package io.zett.sandbox.springai;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.tools.SandboxTools;
import io.zett.sandbox.tools.ToolDescription;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import tools.jackson.databind.json.JsonMapper;

/** The annotated methods are the same tools. */
class SandboxToolMethodsTest {
  private final SandboxSession session = SandboxSession.builder().open();
  private final SandboxTools tools = SandboxTools.builder(session).build();

  @AfterEach
  void close() {
    tools.close();
    session.close();
  }

  private static Map<?, ?> properties(String schema) {
    return (Map<?, ?>) JsonMapper.shared().readValue(schema, Map.class).get("properties");
  }

  @Test
  void namesAndParametersAreThoseOfTheProvider() {
    Map<String, ToolDescription> described =
        tools.descriptions().stream()
            .collect(Collectors.toMap(ToolDescription::name, Function.identity()));
    List<ToolCallback> methods = Arrays.asList(ToolCallbacks.from(new SandboxToolMethods(tools)));
    assertThat(methods)
        .extracting(each -> each.getToolDefinition().name())
        .containsExactlyInAnyOrderElementsOf(described.keySet());
    for (ToolCallback method : methods) {
      ToolDescription description = described.get(method.getToolDefinition().name());
      Map<?, ?> schema =
          JsonMapper.shared().readValue(method.getToolDefinition().inputSchema(), Map.class);
      assertThat(properties(method.getToolDefinition().inputSchema()).keySet().toString())
          .as(description.name())
          .isEqualTo(
              description.parameters().stream().map(field -> field.name()).toList().toString());
      Object required = schema.get("required");
      assertThat(required == null ? "[]" : required.toString())
          .as(description.name())
          .isEqualTo(
              description.parameters().stream()
                  .filter(field -> field.required())
                  .map(field -> field.name())
                  .toList()
                  .toString());
    }
  }

  @Test
  void aModelUsesThem() {
    ScriptedModel model =
        new ScriptedModel()
            .calls("write_file", "{\"path\": \"a.txt\", \"content\": \"one\\ntwo\\n\"}")
            .calls("run_command", "{\"command\": \"wc -l < a.txt; cat; exit 3\", \"stdin\": \"x\"}")
            .calls("run_program", "{\"argv\": [\"cat\", \"/etc/shadow\"], \"timeout_seconds\": 9}")
            .calls("read_file", "{\"path\": \"a.txt\", \"offset\": 2}")
            .calls("start_command", "{\"command\": \"cat\"}")
            .calls("send_input", "{\"id\": \"c3\", \"text\": \"hello\\n\", \"close\": true}")
            .calls("read_output", "{\"id\": \"c3\", \"wait_seconds\": 30}")
            .calls("read_file", "{\"path\": \"missing\"}")
            .says("done");
    String said =
        ChatClient.builder(model)
            .defaultTools(new SandboxToolMethods(tools))
            .build()
            .prompt("go on")
            .call()
            .content();
    assertThat(said).isEqualTo("done");
    List<String> answers = model.answers();
    assertThat(answers.get(1)).contains("<exit_code>3</exit_code>", "<stdout>\n2\nx");
    assertThat(answers.get(2)).contains("<exit_code>1</exit_code>", "Permission denied");
    assertThat(answers.get(3)).isEqualTo("two\n");
    assertThat(answers.get(6)).contains("hello");
    assertThat(answers.get(7)).contains("missing", "does not exist");
  }
}
