package io.zett.sandbox.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SamplesTest {
  private static final Samples TO_HUNDRED =
      Samples.of(IntStream.rangeClosed(1, 100).mapToDouble(i -> i).toArray());

  @Test
  void theMedianIsTheMiddleFigureWhateverTheirOrder() {
    assertThat(Samples.of(9, 1, 5).median()).isEqualTo(5);
    assertThat(Samples.of(4, 1, 3, 2).median()).isEqualTo(2.5);
    assertThat(Samples.of(7).median()).isEqualTo(7);
  }

  @Test
  void aQuantileIsTheLeastFigureThatItsShareDoesNotExceed() {
    assertThat(TO_HUNDRED.quantile(0.95)).isEqualTo(95);
    assertThat(Samples.of(1, 2, 3).quantile(0.95)).isEqualTo(3);
  }

  @Test
  void theTailOfARateIsItsSlowEnd() {
    assertThat(Unit.MILLISECONDS.tail(TO_HUNDRED)).isEqualTo(95);
    assertThat(Unit.COMMANDS_PER_SECOND.tail(TO_HUNDRED)).isEqualTo(5);
  }

  @Test
  void noFiguresHaveNoMedian() {
    assertThatIllegalArgumentException().isThrownBy(() -> Samples.of());
  }
}
