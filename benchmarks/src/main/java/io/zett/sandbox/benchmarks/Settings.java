package io.zett.sandbox.benchmarks;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a run is made.
 *
 * @param quick whether figures may be coarse
 * @param spawnLoop the program of {@link SpawnLoop}
 * @param visible a folder that commands in a sandbox can see, unlike {@code /tmp}
 * @param peers the folder that other sandboxes were installed in; null when none were
 * @param zett the command line of {@code zett}, less its arguments; empty when it is not known
 */
record Settings(
    boolean quick, Path spawnLoop, Path visible, @Nullable Path peers, List<String> zett) {
  /** A quick run takes a fifth of the figures. */
  private static final int QUICK = 5;

  Settings {
    zett = List.copyOf(zett);
  }

  /** How many figures to take in place of so many of a full run; at least three. */
  int count(int full) {
    return quick ? Math.max(3, full / QUICK) : full;
  }

  /** As {@link Rounds#of}, with fewer figures in a quick run. */
  Rounds rounds(int warmUp, int most, int seconds) {
    return Rounds.of(Math.min(warmUp, count(warmUp)), count(most), seconds);
  }

  /** The amount of work of one figure: bytes, files or seconds. */
  int amount(int full, int quickly) {
    return quick ? quickly : full;
  }

  SpawnLoop.Builder spawnLoop(List<String> command) {
    return new SpawnLoop.Builder(spawnLoop, command);
  }
}
