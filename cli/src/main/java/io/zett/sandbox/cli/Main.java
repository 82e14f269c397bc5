package io.zett.sandbox.cli;

import io.zett.sandbox.engine.HeadStart;
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
    warnInOneLine();
    System.exit(run(args, Streams.standard()));
  }

  /** What the library warns of looks like our own words, with or without {@code java.logging}. */
  private static void warnInOneLine() {
    for (String name :
        List.of("java.util.logging.SimpleFormatter.format", "jdk.system.logger.format")) {
      if (System.getProperty(name) == null) {
        System.setProperty(name, "zett: %5$s%n");
      }
    }
  }

  static int run(String[] args, Streams streams) {
    try (HeadStart _ = isLikelyToRun(List.of(args)) ? HeadStart.begin() : null) {
      return read(args, streams);
    }
  }

  /** Before they are read properly: a wrong guess costs a little time, and nothing else. */
  private static boolean isLikelyToRun(List<String> words) {
    return !words.isEmpty()
        && words.getFirst().equals("run")
        && !words.contains("--help")
        && !words.contains("-h");
  }

  private static int read(String[] args, Streams streams) {
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
