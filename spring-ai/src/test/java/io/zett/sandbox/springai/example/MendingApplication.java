package io.zett.sandbox.springai.example;

import io.zett.sandbox.springai.SandboxToolCallbackProvider;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Mends a project; its model can run every command, and nothing else of the machine changes. */
@SpringBootApplication
public class MendingApplication {

  @Bean
  ApplicationRunner mend(ChatModel model, SandboxToolCallbackProvider sandbox) {
    ChatClient programmer =
        ChatClient.builder(model)
            .defaultSystem("You mend programs. Run the tests, change files, run the tests again.")
            .defaultToolCallbacks(sandbox)
            .build();
    return arguments ->
        System.out.println(
            programmer.prompt(String.join(" ", arguments.getNonOptionArgs())).call().content());
  }

  public static void main(String[] arguments) {
    SpringApplication.run(MendingApplication.class, arguments).close();
  }
}
