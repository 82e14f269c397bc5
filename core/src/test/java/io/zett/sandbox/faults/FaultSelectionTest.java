package io.zett.sandbox.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.faults.FaultSource.Fault;
import io.zett.sandbox.posix.Errno;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FaultSelectionTest {
  private static final CallSite HOT = new CallSite("read", "Pump.run:1");
  private static final CallSite RARE = new CallSite("read", "Proc.read:2");
  private static final CallSite OTHER = new CallSite("spawn", "Run.start:3");

  private static List<Fault> all() {
    List<Fault> all = new ArrayList<>();
    for (int nth = 0; nth < 1000; nth++) {
      all.add(new Fault(HOT, nth, Errno.ENOMEM));
      all.add(new Fault(HOT, nth, Errno.EIO));
    }
    all.add(new Fault(RARE, 0, Errno.ENOMEM));
    all.add(new Fault(RARE, 0, Errno.EIO));
    all.add(new Fault(OTHER, 0, Errno.EAGAIN));
    return all;
  }

  private static List<Fault> sample(int shortest, long seed) {
    return FaultSelection.sample(all(), shortest, new Random(seed));
  }

  @Test
  void everyKindOfCallIsAmongThem() {
    assertThat(sample(0, 1))
        .extracting(fault -> fault.site().call())
        .containsExactlyInAnyOrder("read", "spawn");
  }

  @Test
  void theNumberIsMadeUpWithoutAnyTwice() {
    assertThat(sample(10, 1)).hasSize(10).doesNotHaveDuplicates();
    assertThat(sample(5000, 1)).hasSize(2003).doesNotHaveDuplicates();
  }

  @Test
  void theSameSeedGivesTheSameAndInTimeEveryPlaceAndErrorHasItsTurn() {
    assertThat(sample(10, 7)).isEqualTo(sample(10, 7)).isNotEqualTo(sample(10, 8));
    Set<String> had = new HashSet<>();
    for (int day = 0; day < 100; day++) {
      sample(0, day).forEach(fault -> had.add(fault.site().callers() + " " + fault.errno()));
    }
    assertThat(had).hasSize(5);
  }
}
