package io.zett.sandbox.benchmarks;

import java.util.List;
import java.util.stream.Collectors;

/** The page that shows a run to readers of the repository. */
final class MarkdownPage {
  private static final String BEGINNING =
      """
      # What a command costs

      Made by `./bench`, all of it; see [notes](notes.md) for what bounds the rows that miss their goal.

      Each figure and its baseline were taken in turn, in one run. Absolute times are those of one machine
      at one time: what is claimed are the ratios. "p95" is the figure that 95 of 100 are at least as good
      as; "ratio" is that of the medians; "ratio of pairs" is the median of the ratios of neighbouring
      measurements, which a change of the machine's load in the course of a run does not touch. Where
      nothing else is said, bubblewrap is started by a C loop with the same namespaces, mounts and seccomp
      program as the library's.

      ![Time for one command, as a multiple of bubblewrap's](chart.svg)

      """;

  private MarkdownPage() {}

  static String of(Report report) {
    StringBuilder page = new StringBuilder(BEGINNING);
    page.append(line(List.of("machine", ""))).append(rule(2));
    report.machine().forEach((name, value) -> page.append(line(List.of(name, value))));
    for (Section section : Sections.ALL) {
      List<Row> rows = report.rows(section);
      if (!rows.isEmpty()) {
        page.append("\n## ").append(section.title()).append("\n\n");
        page.append("`./bench ").append(section.name()).append("`\n\n");
        page.append(line(Cells.HEADINGS)).append(rule(Cells.HEADINGS.size()));
        rows.forEach(row -> page.append(line(Cells.of(row))));
      }
    }
    if (!report.skipped().isEmpty()) {
      page.append("\n## Skipped\n\n");
      report.skipped().forEach(one -> page.append("- " + one.what() + ": " + one.reason() + '\n'));
    }
    return page.toString();
  }

  private static String line(List<String> cells) {
    return cells.stream()
            .map(cell -> cell.replace("|", "\\|"))
            .collect(Collectors.joining(" | ", "| ", " |"))
        + '\n';
  }

  private static String rule(int columns) {
    return "|" + "---|".repeat(columns) + '\n';
  }
}
