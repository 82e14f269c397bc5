package io.zett.sandbox.cli;

import io.zett.sandbox.engine.HeadStart;
import java.util.List;
import java.util.Set;

/** Where the {@code zett} command begins. */
public final class Main {
  private static final Set<String> RUNNING = Set.of("run", "mcp");

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

  /**
   * Runs the command.
   *
   * @param args the words after {@code zett}
   * @param server what {@code zett mcp} starts
   * @return the exit status for this JVM
   */
  public static int run(String[] args, SessionServer server) {
    warnInOneLine();
    return run(args, new Zett(Streams.standard(), server, BatchEngine.NONE));
  }

  /**
   * Runs the command.
   *
   * @param args the words after {@code zett}
   * @param engine what {@code zett batch --master} hands its jobs to
   * @return the exit status for this JVM
   */
  public static int run(String[] args, BatchEngine engine) {
    warnInOneLine();
    return run(args, new Zett(Streams.standard(), SessionServer.NONE, engine));
  }

  /** The version of this command. */
  public static String version() {
    return Version.text();
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
    return run(args, new Zett(streams, SessionServer.NONE, BatchEngine.NONE));
  }

  private static int run(String[] args, Zett zett) {
    try (HeadStart _ = isLikelyToRun(List.of(args)) ? HeadStart.begin() : null) {
      return zett.run(args);
    }
  }

  /** Before they are read properly: a wrong guess costs a little time, and nothing else. */
  private static boolean isLikelyToRun(List<String> words) {
    return !words.isEmpty()
        && RUNNING.contains(words.getFirst())
        && !words.contains("--help")
        && !words.contains("-h");
  }
}
