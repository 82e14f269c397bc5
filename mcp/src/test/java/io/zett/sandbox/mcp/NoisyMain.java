package io.zett.sandbox.mcp;

/** The server, and something in its JVM that prints. */
final class NoisyMain {
  private NoisyMain() {}

  public static void main(String[] args) {
    var before = System.out;
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              while (System.out == before) {
                Thread.onSpinWait();
              }
              System.out.println("a library prints this");
            });
    Main.main(args);
  }
}
