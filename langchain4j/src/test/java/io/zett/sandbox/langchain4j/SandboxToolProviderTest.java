package io.zett.sandbox.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.ChatMessageDeserializer;
import dev.langchain4j.data.message.ChatMessageSerializer;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.tool.ToolExecution;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.tools.CommandReport;
import io.zett.sandbox.tools.SandboxTools;
import io.zett.sandbox.tools.ToolDescription;
import io.zett.sandbox.tools.ToolName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An AI service whose model follows a script, with real commands. */
class SandboxToolProviderTest {
  private final SandboxSession session = SandboxSession.builder().memory("256MB").open();
  private final SandboxTools tools = SandboxTools.builder(session).build();
  private final List<ToolExecution> executions = new ArrayList<>();

  interface Assistant {
    String chat(String text);
  }

  @AfterEach
  void close() {
    tools.close();
    session.close();
  }

  private String chat(ScriptedModel model) {
    return AiServices.builder(Assistant.class)
        .chatModel(model)
        .toolProvider(SandboxToolProvider.of(tools))
        .afterToolExecution(executions::add)
        .build()
        .chat("go on");
  }

  @Test
  void aModelRunsCommandsAndReadsAndWritesFiles() {
    ScriptedModel model =
        new ScriptedModel()
            .calls("write_file", "{\"path\": \"src/a.txt\", \"content\": \"one\\ntwo\\n\"}")
            .calls("run_command", "{\"command\": \"wc -l < src/a.txt; echo warn >&2\"}")
            .calls("read_file", "{\"path\": \"src/a.txt\", \"offset\": 2}")
            .calls("list_directory", "")
            .calls("start_command", "{\"command\": \"cat\"}")
            .calls("send_input", "{\"id\": \"c2\", \"text\": \"hello\\n\", \"close\": true}")
            .calls("read_output", "{\"id\": \"c2\", \"wait_seconds\": 30}")
            .says("done");
    assertThat(chat(model)).isEqualTo("done");
    List<ToolExecutionResultMessage> results = model.results();
    assertThat(results).hasSize(7).noneMatch(result -> Boolean.TRUE.equals(result.isError()));
    assertThat(results.get(1).text())
        .isEqualTo(
            "<working_dir>"
                + session.workspace()
                + "</working_dir>\n<exit_code>0</exit_code>\n<stdout>\n2\n</stdout>\n"
                + "<stderr>\nwarn\n</stderr>\n");
    assertThat(results.get(2).text()).isEqualTo("two\n");
    assertThat(results.get(3).text()).isEqualTo("directory 0 src/\n");
    assertThat(results.get(6).text()).contains("hello");
    assertThat(executions.get(0).resultObject()).isEqualTo(Map.of("path", "src/a.txt", "bytes", 8));
  }

  @Test
  void aCommandThatFailsIsAnErrorAndItsOutcomeIsTyped() {
    ScriptedModel model =
        new ScriptedModel()
            .calls("run_command", "{\"command\": \"echo no >&2; exit 3\"}")
            .calls("run_command", "{\"command\": \"sleep 1000\", \"timeout_seconds\": 0.2}")
            .calls("run_program", "{\"argv\": [\"true\"]}")
            .calls("read_file", "{\"path\": \"missing\"}")
            .says("done");
    chat(model);
    List<ToolExecutionResultMessage> results = model.results();
    assertThat(results)
        .extracting(ToolExecutionResultMessage::isError)
        .containsExactly(true, true, false, true);
    assertThat(results.get(0).text()).contains("<exit_code>3</exit_code>", "no\n");
    assertThat(results.get(1).text()).contains("<outcome>timed_out</outcome>");
    assertThat(results.get(3).text()).contains("missing");
    CommandOutcome failed = CommandOutcome.of(results.get(0).attributes()).orElseThrow();
    assertThat(failed)
        .isEqualTo(new CommandOutcome("c1", CommandReport.Outcome.EXITED, 3, null, List.of()));
    assertThat(CommandOutcome.of(results.get(3).attributes())).isEmpty();
    assertThat(results.get(0).attributes()).doesNotContainKeys("stdout", "stderr");

    String stored = ChatMessageSerializer.messageToJson(results.get(1));
    ToolExecutionResultMessage restored =
        (ToolExecutionResultMessage) ChatMessageDeserializer.messageFromJson(stored);
    assertThat(CommandOutcome.of(restored.attributes()).map(CommandOutcome::outcome))
        .isEqualTo(Optional.of(CommandReport.Outcome.TIMED_OUT));
  }

  @Test
  void aLimitThatEndsACommandIsNamed() {
    ScriptedModel model =
        new ScriptedModel()
            .calls("run_command", "{\"command\": \"head -c 600000000 /dev/zero | tail\"}")
            .says("done");
    chat(model);
    CommandOutcome outcome = CommandOutcome.of(model.results().get(0).attributes()).orElseThrow();
    assertThat(outcome.outcome()).isEqualTo(CommandReport.Outcome.LIMIT_EXCEEDED);
    assertThat(outcome.limit()).isEqualTo("memory");
  }

  @Test
  void aWrongCallIsAnAnswerThatSaysWhatToDo() {
    ScriptedModel model =
        new ScriptedModel()
            .calls("run_command", "{\"command\": \"true\"")
            .calls("run_command", "[\"true\"]")
            .calls("run_command", "{\"cmd\": \"true\"}")
            .calls("run_command", "{\"command\": \"true\"} {}")
            .says("done");
    assertThat(chat(model)).isEqualTo("done");
    List<ToolExecutionResultMessage> results = model.results();
    assertThat(results).allMatch(ToolExecutionResultMessage::isError);
    assertThat(results.get(0).text()).contains("run_command needs its arguments as a JSON object");
    assertThat(results.get(1).text()).contains("run_command needs its arguments as a JSON object");
    assertThat(results.get(2).text()).contains("no parameter \"cmd\"", "command");
    assertThat(results.get(3).text()).contains("run_command needs its arguments as a JSON object");
  }

  @Test
  void specificationsSayWhatTheDescriptionsSay() throws Exception {
    ObjectMapper json = new ObjectMapper();
    List<ToolSpecification> specifications =
        List.copyOf(SandboxToolProvider.of(tools).tools().keySet());
    List<ToolDescription> descriptions = tools.descriptions();
    assertThat(specifications).hasSameSizeAs(descriptions);
    for (int i = 0; i < descriptions.size(); i++) {
      ToolSpecification specification = specifications.get(i);
      ToolDescription description = descriptions.get(i);
      assertThat(specification.name()).isEqualTo(description.name());
      assertThat(specification.description()).isEqualTo(description.description());
      Map<String, Object> schema = description.inputSchema();
      // An empty part means the same as none, and is left out.
      schema.values().removeIf(value -> value.equals(List.of()) || value.equals(Map.of()));
      assertThat(json.readTree(specification.toJson()).get("parameters"))
          .isEqualTo(json.valueToTree(schema));
      assertThat(specification.metadata())
          .containsEntry("readOnlyHint", description.readOnly())
          .containsEntry("destructiveHint", description.destructive());
    }
    ScriptedModel model = new ScriptedModel().says("done");
    chat(model);
    assertThat(model.firstRequest().toolSpecifications()).isEqualTo(specifications);
  }

  @Test
  void someOfTheToolsCanBeGiven() {
    assertThat(
            SandboxToolProvider.of(tools, List.of(ToolName.READ_FILE, ToolName.RUN_PROGRAM))
                .tools()
                .keySet())
        .extracting(ToolSpecification::name)
        .containsExactly("run_program", "read_file");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SandboxToolProvider.of(tools, List.of()))
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
            .calls("write_file", "{\"path\": \"../x\", \"content\": \"x\"}")
            .says("done");
    chat(model);
    assertThat(model.results())
        .extracting(ToolExecutionResultMessage::isError)
        .containsExactly(true, true, true, true, true, false, true, true, true);
    assertThat(model.results())
        .noneMatch(result -> result.text().contains("SECRET") || result.text().contains("root:"));
    assertThat(victim).hasContent("as it was");
    assertThat(outside.resolve("new")).doesNotExist();
  }

  @Test
  void closingLeavesNothing() throws Exception {
    String mark = "mark-" + UUID.randomUUID();
    ScriptedModel model =
        new ScriptedModel()
            .calls(
                "start_command",
                "{\"command\": \": " + mark + "; echo up; setsid sleep 1000; true\"}")
            .calls("read_output", "{\"id\": \"c1\", \"wait_seconds\": 30}")
            .says("done");
    chat(model);
    assertThat(model.results().get(1).text()).contains("up");
    assertThat(Host.runs(mark)).isTrue();
    Path workspace = session.workspace();
    session.close();
    assertThat(Host.runs(mark)).isFalse();
    assertThat(workspace).doesNotExist();
    ScriptedModel late = new ScriptedModel().calls("list_directory", "{}").says("done");
    chat(late);
    assertThat(late.results().get(0).isError()).isTrue();
    assertThat(late.results().get(0).text()).contains("closed");
  }
}
