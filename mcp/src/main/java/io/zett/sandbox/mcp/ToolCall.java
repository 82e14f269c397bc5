package io.zett.sandbox.mcp;

import io.modelcontextprotocol.server.McpAsyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.zett.sandbox.tools.SandboxTools;
import io.zett.sandbox.tools.ToolResult;
import java.util.Map;
import java.util.Objects;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** One call of a tool, on a thread of its own: any number of commands run side by side. */
final class ToolCall {
  private final SandboxTools tools;
  private final McpAsyncServerExchange client;
  private final CallToolRequest request;

  private ToolCall(SandboxTools tools, McpAsyncServerExchange client, CallToolRequest request) {
    this.tools = tools;
    this.client = client;
    this.request = request;
  }

  /** Runs when it is subscribed to; canceling ends the command that it waits for. */
  static Mono<CallToolResult> of(
      SandboxTools tools, McpAsyncServerExchange client, CallToolRequest request) {
    return Mono.create(new ToolCall(tools, client, request)::begin);
  }

  private void begin(MonoSink<CallToolResult> answer) {
    Thread thread = Thread.ofVirtual().name("zett-mcp-call").unstarted(() -> run(answer));
    answer.onCancel(thread::interrupt);
    thread.start();
  }

  private void run(MonoSink<CallToolResult> answer) {
    try {
      answer.success(result());
    } catch (Throwable e) {
      answer.error(e);
    }
  }

  private CallToolResult result() {
    Map<String, Object> arguments = Objects.requireNonNullElse(request.arguments(), Map.of());
    try (Progress _ = Progress.begin(client, request)) {
      return result(tools.call(request.name(), arguments));
    }
  }

  /** A command that fails is a result like another: only what the tool itself cannot do is not. */
  private static CallToolResult result(ToolResult result) {
    CallToolResult.Builder answer =
        CallToolResult.builder().addTextContent(result.text()).isError(result.isError());
    if (!result.isError()) {
      answer.structuredContent(result.structured());
    }
    return answer.build();
  }
}
