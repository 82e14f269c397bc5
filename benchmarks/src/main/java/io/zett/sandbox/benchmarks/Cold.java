package io.zett.sandbox.benchmarks;

import io.zett.sandbox.Limit;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxSession;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One command in an open session, against bubblewrap with the same mounts. */
final class Cold implements Section {
  private static final int PAIRS = 200;
  private static final int SECONDS = 6;
  private static final int WARM_UP = 60;

  /** By then the JVM has compiled what a command needs. */
  private static final int STEADY = 800;

  private static final Goal GOAL = Goal.atMost(1.10);
  private static final SandboxCommand TRUE = SandboxCommand.of("true").checked();

  @Override
  public String name() {
    return "cold";
  }

  @Override
  public String title() {
    return "One command in an open session";
  }

  @Override
  public void run(Settings settings, Results results) throws Exception {
    SandboxPolicy byDefault = Masks.byDefault();
    results.add(
        compare(settings, byDefault).row("default policy, the first commands of a JVM", null));
    repeat(byDefault, settings.count(STEADY));
    Comparison plain = compare(settings, byDefault);
    results.addToChart(
        "Zett Sandbox, default policy", plain.row("default policy, " + plain.mounts()));
    Comparison limited =
        compare(
            settings,
            byDefault.toBuilder().memory("256M").processes(50).cpus(1).cpuSeconds(60).build());
    results.add(limited.row("memory, processes, cores and time limited by " + limited.mechanism()));
    try (Masks masks = new Masks(settings)) {
      Optional<SandboxPolicy> more = masks.more();
      if (more.isPresent()) {
        Comparison masked = compare(settings, more.get());
        results.add(masked.row(Masks.MORE + " more masks, " + masked.mounts()));
      } else {
        results.skip(
            name(), Masks.MORE + " masks", settings.visible() + " is not seen in a sandbox");
      }
      Comparison bare = compare(settings, masks.none());
      results.add(bare.row("no credential masked, " + bare.mounts()));
    }
    floor(settings, byDefault, results);
  }

  private record Comparison(Pairs pairs, long count, String mechanism) {
    String mounts() {
      return count + " mounts";
    }

    Row row(String what) {
      return row(what, GOAL);
    }

    Row row(String what, @Nullable Goal goal) {
      return Row.ratio("cold", what, Unit.MILLISECONDS, pairs, "bubblewrap", goal);
    }
  }

  private static void repeat(SandboxPolicy policy, int commands) {
    try (SandboxSession session = SandboxSession.builder(policy).open()) {
      for (int i = 0; i < commands; i++) {
        session.run(TRUE);
      }
    }
  }

  private static Comparison compare(Settings settings, SandboxPolicy policy) throws Exception {
    try (SandboxSession session = SandboxSession.builder(policy).open();
        Bubblewrap bubblewrap = new Bubblewrap(settings, policy);
        SpawnLoop loop = bubblewrap.running(List.of("true")).start()) {
      Pairs pairs =
          Pairs.take(
              settings.rounds(WARM_UP, PAIRS, SECONDS),
              Measured.milliseconds(() -> session.run(TRUE)),
              loop::milliseconds);
      return new Comparison(
          pairs, bubblewrap.mounts(), session.capabilities().enforcement(Limit.MEMORY).mechanism());
    }
  }

  /** What the program itself takes, which no sandbox can take away. */
  private static void floor(Settings settings, SandboxPolicy policy, Results results)
      throws Exception {
    try (SpawnLoop program = settings.spawnLoop(List.of("/bin/true")).start();
        Bubblewrap bubblewrap = new Bubblewrap(settings, policy);
        SpawnLoop loop = bubblewrap.running(List.of("true")).start()) {
      Pairs pairs =
          Pairs.take(
              settings.rounds(WARM_UP, PAIRS, SECONDS), program::milliseconds, loop::milliseconds);
      results.addToChart(
          "no sandbox",
          Row.ratio(
              "cold",
              "no sandbox: the program alone",
              Unit.MILLISECONDS,
              pairs,
              "bubblewrap",
              null));
    }
  }
}
