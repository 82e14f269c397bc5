package io.zett.sandbox.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A model that asks for what it is told to, one call after the other, and keeps the answers. */
public final class ScriptedModel implements ChatModel {
  private final Deque<AiMessage> script = new ArrayDeque<>();
  private final List<ChatRequest> requests = new ArrayList<>();

  public ScriptedModel calls(String tool, String arguments) {
    script.add(
        AiMessage.from(
            ToolExecutionRequest.builder()
                .id("call-" + script.size())
                .name(tool)
                .arguments(arguments)
                .build()));
    return this;
  }

  public ScriptedModel says(String text) {
    script.add(AiMessage.from(text));
    return this;
  }

  @Override
  public ChatResponse doChat(ChatRequest request) {
    requests.add(request);
    return ChatResponse.builder().aiMessage(script.remove()).build();
  }

  /** What it was told first. */
  ChatRequest firstRequest() {
    return requests.getFirst();
  }

  /** The results of its calls, in their order. */
  public List<ToolExecutionResultMessage> results() {
    List<ToolExecutionResultMessage> results = new ArrayList<>();
    for (ChatMessage message : requests.getLast().messages()) {
      if (message instanceof ToolExecutionResultMessage result) {
        results.add(result);
      }
    }
    return results;
  }
}
