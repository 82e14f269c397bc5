package io.zett.sandbox.mcp;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpServerTransport;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Messages to the client, each on a line of its own. Thread-safe. */
final class MessageOutput implements McpServerTransport {
  private final McpJsonMapper mapper;
  private final OutputStream out;
  private final Runnable atFailure;
  private final ReentrantLock writing = new ReentrantLock();

  /**
   * Messages on a stream.
   *
   * @param atFailure is run when the client does not take them any more
   */
  MessageOutput(McpJsonMapper mapper, OutputStream out, Runnable atFailure) {
    this.mapper = mapper;
    this.out = out;
    this.atFailure = atFailure;
  }

  @Override
  public Mono<Void> sendMessage(JSONRPCMessage message) {
    return Mono.fromRunnable(() -> write(message));
  }

  /**
   * An error instead of an answer.
   *
   * @param id of the request; null where it is not known
   */
  void refuse(@Nullable Object id, int code, String message) {
    Map<String, @Nullable Object> error = new LinkedHashMap<>();
    error.put("jsonrpc", "2.0");
    error.put("id", id);
    error.put("error", Map.of("code", code, "message", message));
    write(error);
  }

  /** Answers a request without the session. */
  void answer(Object id, Map<String, ?> result) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("jsonrpc", "2.0");
    answer.put("id", id);
    answer.put("result", result);
    write(answer);
  }

  private void write(Object message) {
    try {
      byte[] json = mapper.writeValueAsBytes(message);
      byte[] line = java.util.Arrays.copyOf(json, json.length + 1);
      line[json.length] = '\n';
      writing.lock();
      try {
        out.write(line);
        out.flush();
      } finally {
        writing.unlock();
      }
    } catch (IOException e) {
      atFailure.run();
    }
  }

  @Override
  public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
    return mapper.convertValue(data, type);
  }

  @Override
  public Mono<Void> closeGracefully() {
    return Mono.empty();
  }
}
