package io.zett.sandbox.langchain4j.example;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.SystemMessage;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.langchain4j.CommandOutcome;
import io.zett.sandbox.langchain4j.SandboxToolProvider;
import io.zett.sandbox.tools.SandboxTools;
import java.nio.file.Path;

/** Mends a project; its model can run every command, and nothing else of the machine changes. */
public final class MendingAgent {
  interface Programmer {
    @SystemMessage("You mend programs. Run the tests, change files, and run the tests again.")
    String mend(String fault);
  }

  private MendingAgent() {}

  public static String mend(ChatModel model, Path project, String fault) {
    try (var session = SandboxSession.builder().workspace(project).memory("1GiB").open();
        var tools = SandboxTools.builder(session).build()) {
      return AiServices.builder(Programmer.class)
          .chatModel(model)
          .toolProvider(SandboxToolProvider.of(tools))
          .maxToolCallingRoundTrips(50)
          .afterToolExecution(
              call ->
                  CommandOutcome.of(call.attributes())
                      .ifPresent(how -> System.out.println(how.outcome() + " " + how.exitCode())))
          .build()
          .mend(fault);
    }
  }
}
