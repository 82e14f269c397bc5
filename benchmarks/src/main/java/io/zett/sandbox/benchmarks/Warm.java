package io.zett.sandbox.benchmarks;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.engine.WarmSession;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One command that finds a sandbox started ahead, against bubblewrap that starts one for it. */
final class Warm implements Section {
  private static final int PAIRS = 200;
  private static final int SECONDS = 8;
  private static final int WARM_UP = 60;
  private static final SandboxCommand TRUE = SandboxCommand.of("true").checked();

  @Override
  public String name() {
    return "warm";
  }

  @Override
  public String title() {
    return "One command in a sandbox that was started ahead";
  }

  @Override
  public void run(Settings settings, Results results) throws Exception {
    try (Masks masks = new Masks(settings)) {
      results.addToChart(
          "Zett Sandbox, started ahead",
          compare(settings, "default policy", Masks.byDefault(), null));
      Optional<SandboxPolicy> more = masks.more();
      if (more.isPresent()) {
        results.add(compare(settings, Masks.MORE + " more masks", more.get(), Goal.atMost(0.30)));
      } else {
        results.skip(
            name(), Masks.MORE + " masks", settings.visible() + " is not seen in a sandbox");
      }
      results.add(compare(settings, "no credential masked", masks.none(), Goal.atMost(0.42)));
    }
  }

  /** Each half of a pair begins when the next sandbox stands, so that making it is in neither. */
  private static Row compare(
      Settings settings, String what, SandboxPolicy policy, @Nullable Goal goal) throws Exception {
    Rounds rounds = settings.rounds(WARM_UP, PAIRS, SECONDS);
    try (WarmSession session = new WarmSession(policy.toBuilder().warm(1).build());
        Bubblewrap bubblewrap = new Bubblewrap(settings, policy);
        SpawnLoop loop = bubblewrap.running(List.of("true")).start()) {
      Measured ours = Measured.milliseconds(() -> session.run(TRUE));
      Pairs figures =
          Pairs.take(
              rounds,
              () -> {
                session.awaitFull();
                return ours.once();
              },
              () -> {
                session.awaitFull();
                return loop.milliseconds();
              });
      int commands = rounds.warmUp() + figures.count();
      if (session.taken() != commands) {
        throw new IOException(session.taken() + " of " + commands + " commands found a sandbox");
      }
      return Row.ratio("warm", what, Unit.MILLISECONDS, figures, "bubblewrap", goal);
    }
  }
}
