package io.zett.sandbox.soak;

import io.zett.sandbox.cases.outside.Sleepers;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * {@code run} against {@code close} against {@code cancel} against the command's own end: each
 * command ends once, in the right way, with all that it wrote.
 */
class RacesTest {
  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void everyCommandOfARaceEndsOnceAndInTheRightWay() throws Exception {
    Random random = new Random(Settings.seed("races"));
    Sleepers marked = new Sleepers();
    Tally tally = new Tally();
    for (int done = 0; done < Settings.races(); done += Race.COMMANDS) {
      new Race(random, marked.argument(), tally).run();
      marked.assertNone();
    }
    System.out.println("races: " + tally.summary());
  }
}
