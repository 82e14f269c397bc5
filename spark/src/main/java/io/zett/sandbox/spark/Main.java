package io.zett.sandbox.spark;

import java.util.Optional;

/** Where {@code zett batch --master} begins. */
public final class Main {
  private static final String LOGGING = "log4j2.configurationFile";

  static {
    // Results and our own words alone: Spark's are many, and say in a hundred lines what the
    // command
    // says in one.
    if (System.getProperty(LOGGING) == null) {
      System.setProperty(LOGGING, "classpath:io/zett/sandbox/spark/log4j2-off.properties");
    }
  }

  private Main() {}

  /**
   * Runs the command and ends this JVM with its exit status.
   *
   * @param args the words after {@code zett}
   */
  public static void main(String[] args) {
    // Standard output belongs to the results: what anything else prints there goes the other way.
    System.setOut(System.err);
    System.exit(
        io.zett.sandbox.cli.Main.run(
            args,
            (master, policy, say) ->
                new SparkRun(
                    Master.of(master, name -> Optional.ofNullable(System.getenv(name))),
                    policy,
                    say)));
  }
}
