package io.zett.sandbox.springai;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;

/** A model that asks for what it is told to, one call after the other, and keeps the answers. */
public final class ScriptedModel implements ChatModel {
  private final Deque<AssistantMessage> script = new ArrayDeque<>();
  private final List<Prompt> prompts = new ArrayList<>();

  public ScriptedModel calls(String tool, String arguments) {
    var call = new AssistantMessage.ToolCall("call-" + script.size(), "function", tool, arguments);
    script.add(AssistantMessage.builder().content("").toolCalls(List.of(call)).build());
    return this;
  }

  public ScriptedModel says(String text) {
    script.add(new AssistantMessage(text));
    return this;
  }

  @Override
  public ChatResponse call(Prompt prompt) {
    prompts.add(prompt);
    return new ChatResponse(List.of(new Generation(script.remove())));
  }

  @Override
  public ChatOptions getOptions() {
    return ToolCallingChatOptions.builder().build();
  }

  /** The tools that it was offered. */
  List<String> offered() {
    return ((ToolCallingChatOptions) prompts.getFirst().getOptions())
        .getToolCallbacks().stream().map(tool -> tool.getToolDefinition().name()).toList();
  }

  /** The answers to its calls, in their order. */
  public List<String> answers() {
    List<String> answers = new ArrayList<>();
    for (Message message : prompts.getLast().getInstructions()) {
      if (message instanceof ToolResponseMessage response) {
        response.getResponses().forEach(one -> answers.add(one.responseData()));
      }
    }
    return answers;
  }
}
