package io.zett.sandbox.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.Limit;
import org.junit.jupiter.api.Test;

class SampleTest {
  @Test
  void whatWasExceededComesFirst() {
    Sample over = Sample.over(Limit.MEMORY);
    assertThat(Sample.again(5).and(over)).isEqualTo(over);
    assertThat(over.and(Sample.again(5))).isEqualTo(over);
    assertThat(over.and(Sample.over(Limit.PROCESSES))).isEqualTo(over);
  }

  @Test
  void theSoonerLookIsTaken() {
    assertThat(Sample.again(5).and(Sample.again(3)).nextNanos()).isEqualTo(3);
    assertThat(Sample.again(3).and(Sample.again(5)).nextNanos()).isEqualTo(3);
    assertThat(Sample.NEVER_AGAIN.and(Sample.again(5)).nextNanos()).isEqualTo(5);
    assertThat(Sample.again(5).and(Sample.NEVER_AGAIN).nextNanos()).isEqualTo(5);
    assertThat(Sample.NEVER_AGAIN.and(Sample.NEVER_AGAIN)).isEqualTo(Sample.NEVER_AGAIN);
  }
}
