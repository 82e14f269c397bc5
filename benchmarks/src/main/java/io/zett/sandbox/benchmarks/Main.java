package io.zett.sandbox.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs sections, prints a table, and writes the same as files. */
final class Main {
  private static final int FAILED = 1;
  private static final int WRONG_USAGE = 2;

  private Main() {}

  /**
   * See {@link Arguments}. The status is 1 when a section could not be measured; a goal that is
   * missed is no failure.
   */
  public static void main(String[] words) throws Exception {
    Arguments arguments;
    try {
      arguments = Arguments.of(words);
    } catch (IllegalArgumentException e) {
      System.err.println("bench: " + e.getMessage());
      System.exit(WRONG_USAGE);
      return;
    }
    Map<String, String> machine = Machine.facts();
    Results results = new Results();
    boolean failed = false;
    for (Section section : arguments.sections()) {
      System.err.println("bench: " + section.name() + ": " + section.title());
      long begin = System.nanoTime();
      try {
        section.run(arguments.settings(), results);
      } catch (Exception e) {
        // What the other sections found, or will find, is kept.
        failed = true;
        e.printStackTrace();
        results.skip(section.name(), "the rest of it", "it failed: " + e.getMessage());
      }
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
      System.err.println("bench: " + section.name() + ": took " + seconds + " s");
    }
    Report report = Report.of(machine, results);
    System.out.print(TextTable.of(report));
    write(report, arguments.out());
    if (results.flame() != null) {
      Files.writeString(
          arguments.out().resolve("flame.svg"),
          results.flame().draw("Processor time of the JVM: session.run(\"true\") again and again"));
    }
    if (failed) {
      System.exit(FAILED);
    }
  }

  private static void write(Report report, Path out) throws IOException {
    Files.createDirectories(out);
    Files.writeString(out.resolve("results.json"), JsonFile.of(report));
    Files.writeString(out.resolve("README.md"), MarkdownPage.of(report));
    if (!report.bars().isEmpty()) {
      Files.writeString(out.resolve("chart.svg"), Chart.of(report.bars()));
    }
    System.err.println("bench: written to " + out);
  }
}
