import org.jspecify.annotations.NullMarked;

/** The MCP server of the {@code zett} command. */
@NullMarked
module io.zett.sandbox.mcp {
  requires static org.jspecify;
  requires io.modelcontextprotocol.sdk.mcp.core;
  requires io.zett.sandbox;
  requires io.zett.sandbox.cli;
  requires io.zett.sandbox.tools;
  requires org.reactivestreams;
  requires reactor.core;
}
