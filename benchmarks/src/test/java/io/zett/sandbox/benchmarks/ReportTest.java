package io.zett.sandbox.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class ReportTest {
  private static final Report REPORT = report();

  private static Report report() {
    Results results = new Results();
    Pairs pairs = new Pairs(Samples.of(3), Samples.of(2), Samples.of(1.5), Samples.of(1));
    results.addToChart(
        "a < b", Row.ratio("cold", "one | two", Unit.MILLISECONDS, pairs, "bubblewrap", null));
    results.add(
        new Row(
            "limits",
            "memory",
            Unit.MILLISECONDS,
            Samples.of(3),
            new Row.Baseline("no limits", Samples.of(2)),
            new Judged("ms more a limit", 1, Goal.atMost(0.5))));
    results.skip("peers", "nsjail", "not installed");
    return Report.of(Map.of("kernel", "6.1"), results);
  }

  @Test
  void theFileForProgramsHasEverything() throws Exception {
    assertThat(JSON.std.mapFrom(JsonFile.of(REPORT)))
        .isEqualTo(
            JSON.std.mapFrom(
                """
                {"machine": {"kernel": "6.1"},
                 "rows": [
                  {"section": "cold", "what": "one | two", "unit": "ms",
                   "measured": {"median": 3.0, "p95": 3.0, "count": 1},
                   "baseline": {"name": "bubblewrap", "median": 2.0, "p95": 2.0, "count": 1},
                   "ratio": 1.5, "judged": {"by": "ratio of pairs", "value": 1.5}},
                  {"section": "limits", "what": "memory", "unit": "ms",
                   "measured": {"median": 3.0, "p95": 3.0, "count": 1},
                   "baseline": {"name": "no limits", "median": 2.0, "p95": 2.0, "count": 1},
                   "ratio": 1.5,
                   "judged": {"by": "ms more a limit", "value": 1.0, "atMost": 0.5, "met": false}}],
                 "skipped": [
                  {"section": "peers", "what": "nsjail", "reason": "not installed"}]}
                """));
  }

  @Test
  void eachSectionThatFoundSomethingHasATable() {
    assertThat(MarkdownPage.of(REPORT))
        .contains("| kernel | 6.1 |", "## " + new Cold().title(), "| one \\| two |", "- nsjail: ")
        .doesNotContain("## " + new Many().title());
    assertThat(TextTable.of(REPORT)).contains("kernel: 6.1", "one | two", "skipped: nsjail");
  }

  @Test
  void theChartHasALabelledBarForEachComparison() throws Exception {
    Document chart =
        DocumentBuilderFactory.newDefaultInstance()
            .newDocumentBuilder()
            .parse(
                new InputSource(
                    new StringReader(
                        Chart.of(
                            List.of(
                                new Results.Bar("a < b", 1.5),
                                new Results.Bar("fast", 0.25),
                                new Results.Bar("Zett Sandbox", 80))))));
    assertThat(chart.getDocumentElement().getTextContent())
        .contains("a < b", "1.50×", "fast", "0.25×", "Zett Sandbox", "80×", "bubblewrap");
    // The background, and one for each; none outside of the picture.
    var bars = chart.getElementsByTagName("rect");
    assertThat(bars.getLength()).isEqualTo(4);
    for (int i = 1; i < bars.getLength(); i++) {
      Element bar = (Element) bars.item(i);
      double left = Double.parseDouble(bar.getAttribute("x"));
      assertThat(left).isBetween(300.0, 790.0);
      assertThat(left + Double.parseDouble(bar.getAttribute("width"))).isBetween(300.0, 790.0);
    }
  }
}
