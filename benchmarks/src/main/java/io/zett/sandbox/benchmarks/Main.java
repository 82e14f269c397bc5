package io.zett.sandbox.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Runs sections, prints a table, and writes the same as files. */
final class Main {
  private static final int WRONG_USAGE = 2;

  private Main() {}

  /** See {@link Arguments}; a goal that is missed is no failure. */
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
    for (Section section : arguments.sections()) {
      System.err.println("bench: " + section.name() + ": " + section.title());
      section.run(arguments.settings(), results);
    }
    Report report = Report.of(machine, results);
    System.out.print(TextTable.of(report));
    write(report, arguments.out());
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
