package io.zett.sandbox.langchain4j;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import io.zett.sandbox.tools.SandboxTools;
import io.zett.sandbox.tools.ToolName;
import io.zett.sandbox.tools.ToolResult;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Calls one tool with the arguments of a model. */
final class SandboxToolExecutor implements ToolExecutor {
  private static final ObjectReader ARGUMENTS =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build()
          .readerFor(new TypeReference<Map<String, Object>>() {});

  private final SandboxTools tools;
  private final ToolName tool;

  SandboxToolExecutor(SandboxTools tools, ToolName tool) {
    this.tools = tools;
    this.tool = tool;
  }

  @Override
  public String execute(ToolExecutionRequest request, @Nullable Object memoryId) {
    return call(request).resultText();
  }

  @Override
  public ToolExecutionResult executeWithContext(
      ToolExecutionRequest request, @Nullable InvocationContext context) {
    return call(request);
  }

  private ToolExecutionResult call(ToolExecutionRequest request) {
    Map<String, Object> arguments;
    try {
      arguments = arguments(request.arguments());
    } catch (JsonProcessingException e) {
      return ToolExecutionResult.builder()
          .isError(true)
          .resultText(
              tool.wireName() + " needs its arguments as a JSON object: " + e.getOriginalMessage())
          .build();
    }
    ToolResult result = tools.call(tool.wireName(), arguments);
    return ToolExecutionResult.builder()
        .isError(result.isError() || result.commandFailed())
        .result(result.structured())
        .resultText(text(result))
        .attributes(CommandOutcome.attributes(result.structured()))
        .build();
  }

  /** A model that has nothing to say may give no arguments at all. */
  private static Map<String, Object> arguments(@Nullable String json)
      throws JsonProcessingException {
    if (json == null || json.isBlank()) {
      return Map.of();
    }
    Map<String, Object> arguments = ARGUMENTS.readValue(json);
    return arguments == null ? Map.of() : arguments;
  }

  /** The working directory has the tag that LangChain4j's own shell tool gives it. */
  private static String text(ToolResult result) {
    String text = result.text();
    String line = "<working_directory>" + result.structured().get("cwd") + "</working_directory>\n";
    return text.startsWith(line)
        ? "<working_dir>"
            + result.structured().get("cwd")
            + "</working_dir>\n"
            + text.substring(line.length())
        : text;
  }
}
