package io.zett.sandbox.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PairsTest {
  private final List<String> calls = new ArrayList<>();

  @Test
  void theHalvesOfAPairTakeTurnsAtBeingFirst() throws Exception {
    Pairs.take(Rounds.exactly(1, 2), told("ours", 1), told("theirs", 1));
    assertThat(calls).containsExactly("theirs", "ours", "ours", "theirs", "theirs", "ours");
  }

  @Test
  void ratiosAndDifferencesAreThoseOfEachPair() throws Exception {
    double[] load = {1};
    Pairs pairs = Pairs.take(Rounds.exactly(0, 3), () -> 3 * load[0], () -> load[0] *= 2);
    // 3 and 2; the other one first, 12 and 4; 12 and 8
    assertThat(pairs.measured().count()).isEqualTo(3);
    assertThat(pairs.ratios().median()).isEqualTo(1.5);
    assertThat(pairs.ratios().quantile(1)).isEqualTo(3);
    assertThat(pairs.differences().quantile(0)).isEqualTo(1);
  }

  @Test
  void whatIsThrownAwayCountsForNothing() throws Exception {
    double[] next = {100, 1, 1, 1};
    int[] at = {0};
    Pairs pairs = Pairs.take(Rounds.exactly(1, 1), () -> next[at[0]++], () -> 1);
    assertThat(pairs.measured().count()).isEqualTo(1);
    assertThat(pairs.measured().median()).isEqualTo(1);
  }

  @Test
  void whatTakesTooLongIsDoneLessOften() throws Exception {
    Rounds inNoTime = new Rounds(2, 100, 3, 0);
    Pairs pairs = Pairs.take(inNoTime, told("ours", 1), told("theirs", 1));
    assertThat(pairs.count()).isEqualTo(3);
    assertThat(calls).hasSize(2 * (2 + 3));
  }

  @Test
  void noMoreIsDoneThanWanted() {
    Rounds rounds = Rounds.of(1, 4, 1_000_000);
    assertThat(rounds.wantsMore(3, 0)).isTrue();
    assertThat(rounds.wantsMore(4, 0)).isFalse();
  }

  @Test
  void aRateIsTheAmountDividedByItsTime() throws Exception {
    assertThat(Measured.perSecond(50, () -> 250).once()).isEqualTo(200);
  }

  private Measured told(String name, double figure) {
    return () -> {
      calls.add(name);
      return figure;
    };
  }
}
