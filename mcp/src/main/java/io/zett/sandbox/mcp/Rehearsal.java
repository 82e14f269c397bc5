package io.zett.sandbox.mcp;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/**
 * What clients do most, once in one JVM: started with {@code -XX:AOTCacheOutput}, that JVM leaves a
 * cache from which the server starts faster. How it ends does not matter.
 */
public final class Rehearsal {
  private static final String REQUESTS =
      """
      {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"rehearsal","version":"1"}}}
      {"jsonrpc":"2.0","method":"notifications/initialized"}
      {"jsonrpc":"2.0","id":2,"method":"ping"}
      {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{}}
      {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"run_command","arguments":{"command":"echo x"},"_meta":{"progressToken":1}}}
      {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"write_file","arguments":{"path":"a/b","content":"x"}}}
      {"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"list_directory","arguments":{}}}
      """;
  private static final int ANSWERS = 6;

  private Rehearsal() {}

  /**
   * Serves a client that is made up.
   *
   * @param args not looked at
   */
  public static void main(String[] args) {
    CountDownLatch answers = new CountDownLatch(ANSWERS);
    InputStream requests =
        new SequenceInputStream(
            new ByteArrayInputStream(REQUESTS.getBytes(StandardCharsets.UTF_8)),
            new EndsAfter(answers));
    Main.serve(new String[] {"mcp"}, new StdioServer(requests, new CountsLines(answers)));
    System.exit(0);
  }

  /** Has nothing, and ends when all is answered. */
  private static final class EndsAfter extends InputStream {
    private final CountDownLatch answers;

    EndsAfter(CountDownLatch answers) {
      this.answers = answers;
    }

    @Override
    public int read() throws IOException {
      try {
        answers.await();
        return -1;
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }

  private static final class CountsLines extends OutputStream {
    private final CountDownLatch lines;

    CountsLines(CountDownLatch lines) {
      this.lines = lines;
    }

    @Override
    public void write(int b) {
      if (b == '\n') {
        lines.countDown();
      }
    }
  }
}
