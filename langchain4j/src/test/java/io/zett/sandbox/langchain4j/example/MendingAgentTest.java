package io.zett.sandbox.langchain4j.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.ToolExecutionResultMessage;
import io.zett.sandbox.langchain4j.ScriptedModel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of docs/agents.md. */
class MendingAgentTest {

  @Test
  void theProjectIsMended(@TempDir Path project) throws Exception {
    Files.writeString(project.resolve("sum.sh"), "echo $(($1 - $2))\n");
    Files.writeString(project.resolve("test.sh"), "test \"$(sh sum.sh 40 2)\" = 42\n");
    ScriptedModel model =
        new ScriptedModel()
            .calls("run_command", "{\"command\": \"sh test.sh\"}")
            .calls("read_file", "{\"path\": \"sum.sh\"}")
            .calls("write_file", "{\"path\": \"sum.sh\", \"content\": \"echo $(($1 + $2))\\n\"}")
            .calls("run_command", "{\"command\": \"sh test.sh\"}")
            .says("It subtracted.");
    assertThat(MendingAgent.mend(model, project, "The sum is wrong.")).isEqualTo("It subtracted.");
    assertThat(model.results())
        .extracting(ToolExecutionResultMessage::isError)
        .containsExactly(true, false, false, false);
    assertThat(project.resolve("sum.sh")).hasContent("echo $(($1 + $2))");
  }
}
