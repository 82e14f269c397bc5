package io.zett.sandbox.springai;

import io.zett.sandbox.tools.SandboxTools;
import io.zett.sandbox.tools.ToolDescription;
import io.zett.sandbox.tools.ToolException;
import io.zett.sandbox.tools.ToolResult;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.execution.ToolExecutionException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** One tool of a sandbox. */
final class SandboxToolCallback implements ToolCallback {
  private static final TypeReference<Map<String, Object>> ARGUMENTS = new TypeReference<>() {};

  private final SandboxTools tools;
  private final ToolDefinition definition;

  SandboxToolCallback(SandboxTools tools, ToolDescription description) {
    this.tools = tools;
    this.definition =
        ToolDefinition.builder()
            .name(description.name())
            .description(description.description())
            .inputSchema(JsonMapper.shared().writeValueAsString(description.inputSchema()))
            .build();
  }

  @Override
  public ToolDefinition getToolDefinition() {
    return definition;
  }

  @Override
  public String call(String arguments) {
    ToolResult result = tools.call(definition.name(), parsed(arguments));
    if (result.isError()) {
      throw refused(new ToolException(result.text()));
    }
    return result.text();
  }

  /** The context of the application is nothing to a command. */
  @Override
  public String call(String arguments, @Nullable ToolContext context) {
    return call(arguments);
  }

  /** A model that has nothing to say may give no arguments at all. */
  private Map<String, Object> parsed(@Nullable String json) {
    if (json == null || json.isBlank()) {
      return Map.of();
    }
    try {
      Map<String, Object> arguments = JsonMapper.shared().readValue(json, ARGUMENTS);
      return arguments == null ? Map.of() : arguments;
    } catch (JacksonException e) {
      throw refused(
          new ToolException(
              definition.name()
                  + " needs its arguments as a JSON object: "
                  + e.getOriginalMessage(),
              e));
    }
  }

  /** What Spring AI shows the model, unless the application wants it thrown. */
  private ToolExecutionException refused(ToolException cause) {
    return new ToolExecutionException(definition, cause);
  }
}
