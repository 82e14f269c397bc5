package io.zett.sandbox.mcp;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;

/** Where {@code zett mcp} begins. */
public final class Main {
  static {
    // The SDK logs through SLF4J, which is told here that nobody listens, and need not say so.
    System.setProperty("slf4j.internal.verbosity", "ERROR");
  }

  private Main() {}

  /**
   * Serves a client on the standard streams and ends this JVM when it leaves.
   *
   * @param args the words after {@code zett}
   */
  public static void main(String[] args) {
    // Standard output belongs to the protocol: what anything else prints there goes the other way.
    System.setOut(System.err);
    System.exit(
        serve(
            args,
            new StdioServer(
                new FileInputStream(FileDescriptor.in), new FileOutputStream(FileDescriptor.out))));
  }

  static int serve(String[] args, StdioServer server) {
    server.prepare();
    return io.zett.sandbox.cli.Main.run(args, server);
  }
}
