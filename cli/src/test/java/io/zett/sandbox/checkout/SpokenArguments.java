package io.zett.sandbox.checkout;

import java.io.IOException;

/** Stands for the command in a made-up checkout: says its arguments, or waits for its end. */
public final class SpokenArguments {
  private SpokenArguments() {}

  /** Prints the arguments in one line; {@code wait} waits for standard input to end. */
  public static void main(String[] arguments) throws IOException {
    System.out.println(String.join("|", arguments));
    if (String.join("", arguments).equals("wait")) {
      System.exit(System.in.read() < 0 ? 3 : 4);
    }
  }
}
