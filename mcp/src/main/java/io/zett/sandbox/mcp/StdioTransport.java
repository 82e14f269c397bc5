package io.zett.sandbox.mcp;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpServerSession;
import io.modelcontextprotocol.spec.McpServerTransportProvider;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Messages of one client on two streams. It does what the SDK's own transport leaves out: it tells
 * when the input has ended, goes on behind what is no message, and cancels requests.
 */
final class StdioTransport implements McpServerTransportProvider {
  private final McpJsonMapper mapper;
  private final InputLines in;
  private final MessageOutput out;
  private final RunningRequests running = new RunningRequests();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private McpServerSession.@Nullable Factory factory;

  StdioTransport(McpJsonMapper mapper, InputStream in, OutputStream out) {
    this.mapper = mapper;
    this.in = new InputLines(in);
    this.out = new MessageOutput(mapper, out, this::end);
  }

  @Override
  public void setSessionFactory(McpServerSession.Factory factory) {
    this.factory = factory;
  }

  /** Takes messages until there are no more, or until {@link #end}. Every request is over then. */
  void serve() {
    McpServerSession session = Objects.requireNonNull(factory).create(out);
    // Reading cannot be interrupted: its thread is left behind when something else ends this.
    Thread.ofPlatform().daemon().name("zett-mcp-input").start(() -> read(session));
    ended.join();
    running.cancelAll();
  }

  /** Makes {@link #serve} return. */
  void end() {
    ended.complete(null);
  }

  private void read(McpServerSession session) {
    try {
      InputLines.Line line;
      while ((line = in.next()) != null) {
        switch (line) {
          case InputLines.Text(String text) -> take(text, session);
          case InputLines.TooLong _ ->
              out.refuse(
                  null,
                  ErrorCodes.INVALID_REQUEST,
                  "the message is longer than " + InputLines.MOST_BYTES + " bytes");
        }
      }
    } catch (IOException e) {
      // As if the client had left.
    } finally {
      end();
    }
  }

  private void take(String text, McpServerSession session) {
    if (text.isBlank()) {
      return;
    }
    JSONRPCMessage message;
    try {
      message = McpSchema.deserializeJsonRpcMessage(mapper, text);
    } catch (IOException | RuntimeException e) {
      out.refuse(null, ErrorCodes.PARSE_ERROR, "this is no message of JSON-RPC 2.0");
      return;
    }
    switch (message) {
      case JSONRPCRequest request when !isObject(request.params()) ->
          out.refuse(request.id(), ErrorCodes.INVALID_PARAMS, "params: an object is needed");
      case JSONRPCRequest request
          when request.method().equals(McpSchema.METHOD_TOOLS_CALL) && request.params() == null ->
          out.refuse(request.id(), ErrorCodes.INVALID_PARAMS, "params: name a tool");
      case JSONRPCRequest request -> {
        if (!running.run(request.id(), handled(request, session))) {
          out.refuse(request.id(), ErrorCodes.INVALID_REQUEST, "a request with this id is running");
        }
      }
      case JSONRPCNotification note when note.method().equals("notifications/cancelled") -> {
        if (note.params() instanceof Map<?, ?> params && params.get("requestId") != null) {
          running.cancel(Objects.requireNonNull(params.get("requestId")));
        }
      }
      default -> session.handle(message).subscribe(_ -> {}, _ -> {});
    }
  }

  /** A client may ask for a sign of life before it has said that it is ready. */
  private Mono<Void> handled(JSONRPCRequest request, McpServerSession session) {
    return request.method().equals(McpSchema.METHOD_PING)
        ? Mono.fromRunnable(() -> out.answer(request.id(), Map.of()))
        : session.handle(request);
  }

  private static boolean isObject(@Nullable Object params) {
    return params == null || params instanceof Map;
  }

  @Override
  public Mono<Void> notifyClients(String method, Object params) {
    return Mono.empty(); // The tools stay what they are.
  }

  @Override
  public Mono<Void> closeGracefully() {
    return Mono.fromRunnable(this::end);
  }
}
