package io.zett.sandbox.mcp;

import io.modelcontextprotocol.server.McpServerFeatures.AsyncToolSpecification;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import io.zett.sandbox.tools.SandboxTools;
import io.zett.sandbox.tools.ToolDescription;
import java.util.List;

/** The tools of a sandbox as MCP describes and calls tools. */
final class ToolCatalogue {
  private final SandboxTools tools;

  ToolCatalogue(SandboxTools tools) {
    this.tools = tools;
  }

  /** What a client may tell its model of all of them. */
  String instructions() {
    return "These tools work in one sandbox with a workspace at "
        + tools.session().workspace()
        + ". "
        + tools.capabilities().rules();
  }

  List<AsyncToolSpecification> tools() {
    return tools.descriptions().stream()
        .map(
            description ->
                AsyncToolSpecification.builder()
                    .tool(tool(description))
                    .callHandler((client, request) -> ToolCall.of(tools, client, request))
                    .build())
        .toList();
  }

  private static Tool tool(ToolDescription description) {
    return Tool.builder(description.name(), description.inputSchema())
        .title(description.title())
        .description(description.description())
        .outputSchema(description.outputSchema())
        .annotations(
            ToolAnnotations.builder()
                .title(description.title())
                .readOnlyHint(description.readOnly())
                .destructiveHint(description.destructive())
                .openWorldHint(description.openWorld())
                .build())
        .build();
  }
}
