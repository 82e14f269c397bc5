package io.zett.sandbox.mcp;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator.ValidationResponse;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.cli.Main;
import io.zett.sandbox.cli.SessionServer;
import io.zett.sandbox.tools.SandboxTools;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Serves one client on two streams, a line for each message, until one of them ends. */
final class StdioServer implements SessionServer {
  private static final Duration LONGEST = Duration.ofMinutes(10);

  /**
   * Nothing is checked here: the tools check their arguments and say what to do instead, and their
   * answers and schemas come from the same descriptions. Loading a validator takes longer than all
   * the rest of a start.
   */
  private static final JsonSchemaValidator UNCHECKED = (_, _) -> ValidationResponse.asValid(null);

  private final InputStream in;
  private final OutputStream out;
  private final CompletableFuture<McpJsonMapper> mapper = new CompletableFuture<>();

  StdioServer(InputStream in, OutputStream out) {
    this.in = in;
    this.out = out;
  }

  /** Loads what reads JSON while the session is opened. */
  void prepare() {
    Thread.ofPlatform()
        .daemon()
        .name("zett-mcp-json")
        .start(
            () -> {
              try {
                mapper.complete(McpJsonDefaults.getMapper());
              } catch (Throwable e) {
                mapper.completeExceptionally(e);
              }
            });
  }

  @Override
  public void serve(SandboxSession session, Consumer<Runnable> atSignal) throws IOException {
    StdioTransport transport = new StdioTransport(mapper.join(), in, out);
    atSignal.accept(transport::end);
    try (SandboxTools tools = tools(session)) {
      ToolCatalogue catalogue = new ToolCatalogue(tools);
      McpServer.async(transport)
          .jsonMapper(mapper.join())
          .jsonSchemaValidator(UNCHECKED)
          .validateToolInputs(false)
          .serverInfo(
              Implementation.builder("zett-sandbox", Main.version()).title("Zett Sandbox").build())
          .instructions(catalogue.instructions())
          .capabilities(ServerCapabilities.builder().tools(false).build())
          .tools(catalogue.tools())
          .build();
      transport.serve();
    }
  }

  private static SandboxTools tools(SandboxSession session) {
    Duration usual = session.policy().timeout().orElse(LONGEST);
    return SandboxTools.builder(session)
        .maxTimeout(usual.compareTo(LONGEST) > 0 ? usual : LONGEST)
        .build();
  }
}
