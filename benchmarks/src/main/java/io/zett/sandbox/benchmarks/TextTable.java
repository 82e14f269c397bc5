package io.zett.sandbox.benchmarks;

import java.util.ArrayList;
import java.util.List;

/** Tables for a terminal. */
final class TextTable {
  private TextTable() {}

  static String of(Report report) {
    StringBuilder text = new StringBuilder();
    report.machine().forEach((name, value) -> text.append(name + ": " + value + '\n'));
    for (Section section : Sections.ALL) {
      List<Row> rows = report.rows(section);
      if (!rows.isEmpty()) {
        text.append('\n').append(section.title()).append(" (" + section.name() + ")\n");
        append(text, rows);
      }
    }
    report
        .skipped()
        .forEach(
            skipped ->
                text.append(
                    "\nskipped: %s (%s): %s"
                        .formatted(skipped.what(), skipped.section(), skipped.reason())));
    return text.append(report.skipped().isEmpty() ? "" : "\n").toString();
  }

  private static void append(StringBuilder text, List<Row> rows) {
    List<List<String>> lines = new ArrayList<>(List.of(Cells.HEADINGS));
    rows.forEach(row -> lines.add(Cells.of(row)));
    int columns = Cells.HEADINGS.size();
    int[] widths = new int[columns];
    for (List<String> line : lines) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    for (List<String> line : lines) {
      StringBuilder one = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        String cell = line.get(i);
        one.append("  ").append(cell).repeat(' ', widths[i] - cell.length());
      }
      text.append(one.toString().stripTrailing()).append('\n');
    }
  }
}
