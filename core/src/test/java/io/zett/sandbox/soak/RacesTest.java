package io.zett.sandbox.soak;

import io.zett.sandbox.cases.outside.Sleepers;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * {@code run} against {@code close} against {@code cancel} against the command's own end: each
 * command ends once, in the right way, with all that it wrote.
 */
class RacesTest {
  /** Sessions that are open at once. */
  private static final int LANES = 3;

  private final Tally tally = new Tally();

  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void everyCommandOfARaceEndsOnceAndInTheRightWay() throws Exception {
    long seed = Settings.seed("races");
    int each = Math.ceilDiv(Settings.races(), LANES * Race.COMMANDS);
    try (ExecutorService lanes = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> done = new ArrayList<>();
      for (int lane = 0; lane < LANES; lane++) {
        Random random = new Random(seed + lane);
        done.add(lanes.submit(() -> run(each, random)));
      }
      for (Future<?> lane : done) {
        lane.get();
      }
    }
    System.out.println("races: " + tally.summary());
  }

  private Void run(int races, Random random) throws Exception {
    Sleepers marked = new Sleepers();
    for (int i = 0; i < races; i++) {
      new Race(random, marked.argument(), tally).run();
      marked.assertNone();
    }
    return null;
  }
}
