package io.zett.sandbox.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowTest {
  @Test
  void aGoalIsAboutThePairsAndTheRatioAboutTheMedians() {
    Pairs pairs = new Pairs(Samples.of(4), Samples.of(2), Samples.of(1.04), Samples.of(2));
    Row row = Row.ratio("cold", "it", Unit.MILLISECONDS, pairs, "bubblewrap", Goal.atMost(1.1));
    assertThat(row.ratio()).hasValue(2);
    assertThat(row.met()).isTrue();
    assertThat(Cells.of(row))
        .containsExactly(
            "it",
            "4.00 ms",
            "",
            "bubblewrap",
            "2.00 ms",
            "",
            "2.00",
            "1.04 ratio of pairs",
            "≤ 1.10",
            "yes")
        .hasSameSizeAs(Cells.HEADINGS);
  }

  @Test
  void aRowWithoutABaselineOrAGoalSaysNothingOfThem() {
    Row row = new Row("jmh", "it", Unit.BYTES, Samples.of(1, 2), null, new Judged("B", 1.5, null));
    assertThat(row.ratio()).isEmpty();
    assertThat(row.met()).isNull();
    assertThat(Cells.of(row))
        .containsExactly("it", "1.50 B", "2.00 B", "", "", "", "", "1.50 B", "", "");
  }

  @Test
  void aBaselineOfNothingHasNoRatio() {
    Row row =
        new Row(
            "watchdog",
            "it",
            Unit.PERCENT,
            Samples.of(1.5),
            new Row.Baseline("no limit", Samples.of(0)),
            new Judged("% of one core", 1.5, Goal.atMost(2)));
    assertThat(row.ratio()).isEmpty();
    assertThat(row.met()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"true, 2, true", "true, 2.1, false", "false, 2, true", "false, 1.9, false"})
  void aBoundMeetsItsGoal(boolean atMost, double value, boolean met) {
    assertThat(new Goal(atMost, 2).isMetBy(value)).isEqualTo(met);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"1234567.8;1,234,568", "99.94;99.9", "9.876;9.88", "0.004;0.00", "-12.34;-12.3"})
  void threeDigitsOfANumberAreShown(double value, String text) {
    assertThat(Figures.text(value)).isEqualTo(text);
  }
}
