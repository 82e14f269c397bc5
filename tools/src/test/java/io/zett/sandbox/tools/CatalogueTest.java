package io.zett.sandbox.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.HomeMode;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxSession;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CatalogueTest {

  @Test
  void eachToolIsCalledByItsNameAndAnswersWithTheFieldsThatAreDescribed() {
    try (var session = SandboxSession.builder().memory("256MB").open();
        var tools = SandboxTools.builder(session).build()) {
      Map<String, Map<String, Object>> calls = new LinkedHashMap<>();
      calls.put("run_command", Map.of("command", "echo $0; cat", "stdin", "x", "cwd", "."));
      calls.put("run_program", Map.of("argv", List.of("echo", "a"), "timeout_seconds", 20));
      calls.put("start_command", Map.of("command", "cat"));
      calls.put("send_input", Map.of("id", "c3", "text", "in\n", "close", true));
      calls.put("read_output", Map.of("id", "c3", "wait_seconds", 30.0));
      calls.put("stop_command", Map.of("id", "c3"));
      calls.put("write_file", Map.of("path", "f", "content", "text\n"));
      calls.put("read_file", Map.of("path", "f", "offset", 1, "limit", 5L));
      calls.put("list_directory", Map.of());
      calls.put("get_capabilities", Map.of());
      assertThat(calls.keySet())
          .containsExactlyInAnyOrderElementsOf(
              Arrays.stream(ToolName.values()).map(ToolName::wireName).toList());
      calls.forEach(
          (name, arguments) -> {
            ToolResult result = tools.call(name, arguments);
            assertThat(result.isError()).as(name + ": " + result.text()).isFalse();
            assertThat(result.text()).isNotBlank();
            ToolDescription description =
                tools.description(ToolName.valueOf(name.toUpperCase(java.util.Locale.ROOT)));
            assertThat(description.name()).isEqualTo(name);
            assertFields(result.structured(), description.results());
          });
      assertThat(tools.call("read_file", Map.of("path", "f")).structured())
          .containsEntry("content", "text\n");
    }
  }

  @SuppressWarnings("unchecked")
  private static void assertFields(Map<String, Object> object, List<ToolField> fields) {
    assertThat(object.keySet())
        .containsExactlyElementsOf(fields.stream().map(ToolField::name).toList());
    for (ToolField field : fields) {
      Object value = object.get(field.name());
      if (value == null) {
        assertThat(field.required()).as(field.name()).isFalse();
        continue;
      }
      Class<?> type =
          switch (field.type()) {
            case STRING -> String.class;
            case INTEGER -> value instanceof Integer ? Integer.class : Long.class;
            case NUMBER -> Double.class;
            case BOOLEAN -> Boolean.class;
            case STRING_ARRAY, OBJECT_ARRAY -> List.class;
            case OBJECT -> Map.class;
          };
      assertThat(value).as(field.name()).isInstanceOf(type);
      if (field.type() == ToolType.OBJECT_ARRAY) {
        assertThat((List<Map<String, Object>>) value)
            .isNotEmpty()
            .allSatisfy(one -> assertFields(one, field.fields()));
      }
    }
  }

  @Test
  void aWrongCallIsAnErrorThatSaysWhatToDo() {
    try (var session = SandboxSession.builder().backend(SandboxBackend.PASSTHROUGH).open();
        var tools = SandboxTools.builder(session).build()) {
      assertError(tools, "run", Map.of(), "there is no tool \"run\"", "run_command");
      assertError(tools, "run_command", Map.of(), "run_command needs \"command\"", "shell text");
      assertError(tools, "run_command", Map.of("command", 1), "command: a text is needed");
      assertError(
          tools, "run_command", Map.of("command", "x", "timeout", 1), "no parameter \"timeout\"");
      assertError(tools, "run_program", Map.of("argv", "ls"), "argv: a list of texts");
      assertError(tools, "run_program", Map.of("argv", List.of(1)), "argv: a list of texts");
      assertError(tools, "read_file", Map.of("path", "x", "offset", 1.5), "offset: a whole number");
      assertError(tools, "send_input", Map.of("id", "c1", "close", "yes"), "close: true or false");
      Map<String, Object> nulls = new LinkedHashMap<>();
      nulls.put("command", "exit 4");
      nulls.put("cwd", null);
      ToolResult failed = tools.call("run_command", nulls);
      assertThat(failed.isError()).isFalse();
      assertThat(failed.commandFailed()).isTrue();
    }
  }

  private static void assertError(
      SandboxTools tools, String name, Map<String, Object> arguments, String... words) {
    ToolResult result = tools.call(name, arguments);
    assertThat(result.isError()).isTrue();
    assertThat(result.text()).contains(words);
    assertThat(result.structured()).isEmpty();
  }

  @Test
  void descriptionsSayWhatHoldsInThisSandbox() {
    try (var session = SandboxSession.builder().memory(64_000_000).open();
        var tools = SandboxTools.builder(session).build()) {
      ToolDescription run = tools.description(ToolName.RUN_COMMAND);
      assertThat(run.description())
          .contains("/tmp is new", "home directory is read-only", "no network")
          .contains("memory 64000000 bytes", "after 60 seconds", "30000 characters");
      assertThat(run.openWorld()).isFalse();
      assertThat(run.readOnly()).isFalse();
      assertThat(tools.description(ToolName.READ_FILE).readOnly()).isTrue();
    }
    try (var session = SandboxSession.builder().network(true).home(HomeMode.PRIVATE).open();
        var tools = SandboxTools.builder(session).build()) {
      ToolDescription run = tools.description(ToolName.RUN_PROGRAM);
      assertThat(run.description()).contains("network can be used", "home directory is new");
      assertThat(run.openWorld()).isTrue();
    }
    try (var session = SandboxSession.builder().backend(SandboxBackend.PASSTHROUGH).open();
        var tools = SandboxTools.builder(session).build()) {
      assertThat(tools.description(ToolName.START_COMMAND).description())
          .contains("Nothing is isolated")
          .doesNotContain("read-only");
    }
  }

  @Test
  void schemasAreThoseOfJsonSchema() {
    try (var session = SandboxSession.builder().backend(SandboxBackend.PASSTHROUGH).open();
        var tools = SandboxTools.builder(session).build()) {
      Map<String, Object> input = tools.description(ToolName.RUN_PROGRAM).inputSchema();
      assertThat(input)
          .containsEntry("type", "object")
          .containsEntry("required", List.of("argv"))
          .containsEntry("additionalProperties", false);
      assertThat(input.get("properties"))
          .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
          .containsOnlyKeys("argv", "cwd", "stdin", "timeout_seconds")
          .containsEntry(
              "argv",
              Map.of(
                  "type",
                  "array",
                  "description",
                  "the program, then its arguments",
                  "items",
                  Map.of("type", "string")));
      Map<String, Object> output = tools.description(ToolName.RUN_PROGRAM).outputSchema();
      assertThat(output.get("properties"))
          .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
          .containsEntry(
              "limit",
              Map.of("type", List.of("string", "null"), "description", "the limit that ended it"));
    }
  }
}
