package io.zett.sandbox.mcp;

import io.modelcontextprotocol.server.McpAsyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Tells a client that wants to know, each second, that a call goes on. */
final class Progress implements AutoCloseable {
  private final McpAsyncServerExchange client;
  private final Object token;
  private final @Nullable Double limit;
  private final CountDownLatch over = new CountDownLatch(1);
  private final Thread thread = Thread.ofVirtual().name("zett-mcp-progress").unstarted(this::tell);

  private Progress(McpAsyncServerExchange client, Object token, @Nullable Double limit) {
    this.client = client;
    this.token = token;
    this.limit = limit;
  }

  /** Begins; null if the client gave no token to tell it by. */
  static @Nullable Progress begin(McpAsyncServerExchange client, CallToolRequest request) {
    Object token = request.meta() == null ? null : request.meta().get("progressToken");
    if (token == null) {
      return null;
    }
    Object seconds =
        request.arguments() == null ? null : request.arguments().get("timeout_seconds");
    Progress progress =
        new Progress(client, token, seconds instanceof Number number ? number.doubleValue() : null);
    progress.thread.start();
    return progress;
  }

  private void tell() {
    try {
      for (int second = 1; !over.await(1, TimeUnit.SECONDS); second++) {
        ProgressNotification.Builder progress =
            ProgressNotification.builder(token, second).message("running for " + second + " s");
        if (limit != null && limit >= second) {
          progress.total(limit);
        }
        client.progressNotification(progress.build()).subscribe(_ -> {}, _ -> {});
      }
    } catch (InterruptedException e) {
      // Nobody does that.
    }
  }

  /** Nothing is told after this: the answer is the last word about a call. */
  @Override
  public void close() {
    over.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // There will be no answer.
    }
  }
}
