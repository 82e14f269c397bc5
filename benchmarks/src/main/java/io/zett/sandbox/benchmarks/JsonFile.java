package io.zett.sandbox.benchmarks;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A run for programs. */
final class JsonFile {
  private JsonFile() {}

  static String of(Report report) throws IOException {
    List<Object> rows = new ArrayList<>();
    report.rows().forEach(row -> rows.add(row(row)));
    List<Object> skipped = new ArrayList<>();
    for (Results.Skipped one : report.skipped()) {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("section", one.section());
      json.put("what", one.what());
      json.put("reason", one.reason());
      skipped.add(json);
    }
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("machine", report.machine());
    all.put("rows", rows);
    all.put("skipped", skipped);
    return JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).asString(all) + '\n';
  }

  private static Map<String, @Nullable Object> row(Row row) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("section", row.section());
    json.put("what", row.what());
    json.put("unit", row.unit().symbol());
    json.put("measured", samples(row.measured(), row.unit()));
    Row.Baseline baseline = row.baseline();
    if (baseline != null) {
      LinkedHashMap<String, @Nullable Object> other = samples(baseline.samples(), row.unit());
      other.putFirst("name", baseline.name());
      json.put("baseline", other);
    }
    row.ratio().ifPresent(ratio -> json.put("ratio", rounded(ratio)));
    Judged judged = row.judged();
    Map<String, @Nullable Object> number = new LinkedHashMap<>();
    number.put("by", judged.name());
    number.put("value", rounded(judged.value()));
    Goal goal = judged.goal();
    if (goal != null) {
      number.put(goal.atMost() ? "atMost" : "atLeast", goal.bound());
      number.put("met", row.met());
    }
    json.put("judged", number);
    return json;
  }

  private static LinkedHashMap<String, @Nullable Object> samples(Samples samples, Unit unit) {
    LinkedHashMap<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("median", rounded(samples.median()));
    json.put("p95", rounded(unit.tail(samples)));
    json.put("count", samples.count());
    return json;
  }

  /** More digits than this are noise. */
  private static double rounded(double value) {
    return Math.round(value * 1e4) / 1e4;
  }
}
