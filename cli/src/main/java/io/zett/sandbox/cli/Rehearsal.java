package io.zett.sandbox.cli;

import java.util.List;

/**
 * What people run most, once each in one JVM: started with {@code -XX:AOTCacheOutput}, that JVM
 * leaves a cache from which the command starts faster. How the commands end does not matter.
 */
public final class Rehearsal {
  private static final List<List<String>> COMMANDS =
      List.of(
          List.of("run", "--", "true"),
          List.of("run", "--json", "--", "true"),
          // An empty file says nothing, and is read as every other.
          List.of("run", "--policy", "/dev/null", "--", "true"),
          List.of("policy", "explain", "/"),
          List.of("doctor"),
          List.of("--help"),
          List.of("run", "--help"),
          List.of("--version"));

  private Rehearsal() {}

  /**
   * Runs them.
   *
   * @param args not looked at
   */
  public static void main(String[] args) {
    for (List<String> words : COMMANDS) {
      Main.run(words.toArray(String[]::new), Streams.standard());
    }
    System.exit(ExitStatus.OK);
  }
}
