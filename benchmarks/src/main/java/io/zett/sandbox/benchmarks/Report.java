package io.zett.sandbox.benchmarks;

import java.util.List;
import java.util.Map;

/**
 * A finished run.
 *
 * @param machine where and when, by name
 * @param rows what was measured
 * @param skipped what could not be
 * @param bars the chart's
 */
record Report(
    Map<String, String> machine,
    List<Row> rows,
    List<Results.Skipped> skipped,
    List<Results.Bar> bars) {

  static Report of(Map<String, String> machine, Results results) {
    return new Report(machine, results.rows(), results.skipped(), results.bars());
  }

  /** Those of one section. */
  List<Row> rows(Section section) {
    return rows.stream().filter(row -> row.section().equals(section.name())).toList();
  }
}
