package io.zett.sandbox.cli;

import java.util.List;

/** Where the {@code zett} command begins. */
public final class Main {
  private Main() {}

  /**
   * Runs the command and ends this JVM with its exit status.
   *
   * @param args the words after {@code zett}
   */
  public static void main(String[] args) {
    System.exit(run(args, Streams.standard()));
  }

  static int run(String[] args, Streams streams) {
    List<String> words;
    try {
      words = RawArguments.of(args);
    } catch (UsageException e) {
      streams.say(e.getMessage());
      return ExitStatus.USAGE;
    }
    return new Zett(streams).run(words);
  }
}
