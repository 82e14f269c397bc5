package io.zett.sandbox.benchmarks;

import java.util.ArrayList;
import java.util.List;

/** A row as words, the same in each kind of table. */
final class Cells {
  static final List<String> HEADINGS =
      List.of(
          "what",
          "median",
          "p95",
          "against",
          "its median",
          "its p95",
          "ratio",
          "judged by",
          "goal",
          "met");

  private Cells() {}

  static List<String> of(Row row) {
    Unit unit = row.unit();
    List<String> cells = new ArrayList<>();
    cells.add(row.what());
    cells.add(Figures.text(row.measured().median(), unit));
    cells.add(tail(row.measured(), unit));
    Row.Baseline baseline = row.baseline();
    if (baseline == null) {
      cells.addAll(List.of("", "", ""));
    } else {
      cells.add(baseline.name());
      cells.add(Figures.text(baseline.samples().median(), unit));
      cells.add(tail(baseline.samples(), unit));
    }
    cells.add(row.ratio().isPresent() ? Figures.text(row.ratio().getAsDouble()) : "");
    cells.add(Figures.text(row.judged().value()) + " " + row.judged().name());
    Goal goal = row.judged().goal();
    Boolean met = row.met();
    cells.add(goal == null ? "" : goal.toString());
    cells.add(met == null ? "" : met ? "yes" : "no");
    return cells;
  }

  private static String tail(Samples samples, Unit unit) {
    return samples.count() == 1 ? "" : Figures.text(unit.tail(samples), unit);
  }
}
