package io.zett.sandbox.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.posix.Posix;
import org.junit.jupiter.api.Test;

class LedgerTest {
  /** Nobody else is given such a number between the two closes. */
  private static final int FAR = 900;

  private final Ledger ledger = new Ledger();
  private final Posix posix = InterposedPosix.over(Posix.system(), ledger);

  @Test
  void whatIsClosedOnceIsNoStray() {
    int[] pipe = posix.pipe2(0);
    ledger.forget();
    posix.close(pipe[0]);
    posix.close(pipe[1]);
    int again = posix.eventfd();
    posix.close(again);

    assertThat(ledger.strayCloses()).isEmpty();
    assertThat(ledger.descriptors()).isEmpty();
  }

  @Test
  void aSecondCloseIsNoted() {
    int event = posix.eventfd();
    int copy = posix.dup(event, FAR);
    posix.close(event);
    posix.close(copy);
    posix.close(copy);

    assertThat(ledger.strayCloses()).hasSize(1);
  }
}
