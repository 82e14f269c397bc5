package io.zett.sandbox.benchmarks;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the sections found, in order. Not thread-safe. */
final class Results {
  private final List<Row> rows = new ArrayList<>();
  private final List<Skipped> skipped = new ArrayList<>();
  private final List<Bar> bars = new ArrayList<>();
  private @Nullable FlameGraph flame;

  /** Something that could not be measured here. */
  record Skipped(String section, String what, String reason) {}

  /** One bar of the chart: how many times as long as bubblewrap something takes. */
  record Bar(String name, double ratio) {}

  void add(Row row) {
    rows.add(row);
  }

  /** Adds a row of a comparison with bubblewrap that the chart shows. */
  void addToChart(String name, Row row) {
    rows.add(row);
    bars.add(new Bar(name, row.judged().value()));
  }

  void skip(String section, String what, String reason) {
    skipped.add(new Skipped(section, what, reason));
  }

  /** Where processor time goes. */
  void flame(FlameGraph graph) {
    flame = graph;
  }

  /** Null when it was not looked for. */
  @Nullable FlameGraph flame() {
    return flame;
  }

  List<Row> rows() {
    return List.copyOf(rows);
  }

  List<Skipped> skipped() {
    return List.copyOf(skipped);
  }

  List<Bar> bars() {
    return List.copyOf(bars);
  }
}
