package io.zett.sandbox.springai.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.springai.ScriptedModel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.boot.SpringApplication;
import org.springframework.context.support.GenericApplicationContext;

/** The program of docs/agents.md, a whole application. */
class MendingApplicationTest {

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
    SpringApplication application = new SpringApplication(MendingApplication.class);
    application.addInitializers(
        context ->
            ((GenericApplicationContext) context).registerBean(ChatModel.class, () -> model));
    SandboxSession session;
    try (var context =
        application.run(
            "--spring.config.location=classpath:/example/application.properties",
            "--zett.sandbox.workspace=" + project,
            "The sum is wrong.")) {
      session = context.getBean(SandboxSession.class);
      assertThat(session.policy().protectsDeveloperFiles()).isTrue();
    }
    assertThat(model.answers()).hasSize(4);
    assertThat(model.answers().get(0)).contains("<exit_code>1</exit_code>");
    assertThat(model.answers().get(3)).contains("<exit_code>0</exit_code>");
    assertThat(project.resolve("sum.sh")).hasContent("echo $(($1 + $2))");
    assertThat(session.isOpen()).isFalse();
  }
}
