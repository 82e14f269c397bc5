package io.zett.sandbox.benchmarks;

import io.zett.sandbox.SandboxPolicy;
import java.util.ArrayList;
import java.util.List;

/**
 * The command line, from the script in the checkout to its end: a JVM that starts, opens a sandbox,
 * runs one program and ends.
 */
final class CommandStart implements Section {
  private static final int PAIRS = 30;
  private static final int SECONDS = 12;
  private static final int WARM_UP = 3;

  @Override
  public String name() {
    return "command";
  }

  @Override
  public String title() {
    return "zett run -- true, from a warm disk cache";
  }

  @Override
  public void run(Settings settings, Results results) throws Exception {
    if (settings.zett().isEmpty()) {
      results.skip(name(), title(), "./bench was not told how zett is started");
      return;
    }
    List<String> words = new ArrayList<>(settings.zett());
    words.addAll(List.of("run", "--", "true"));
    try (SpawnLoop zett = settings.spawnLoop(words).withEnvironment().start();
        Bubblewrap bubblewrap = new Bubblewrap(settings, SandboxPolicy.builder().build());
        SpawnLoop alone = bubblewrap.running(List.of("true")).start()) {
      Pairs pairs = take(settings, zett, alone);
      results.add(
          new Row(
              name(),
              "./zett run -- true",
              Unit.MILLISECONDS,
              pairs.measured(),
              new Row.Baseline("bubblewrap", pairs.baseline()),
              new Judged("ms on this machine", pairs.measured().median(), Goal.atMost(110))));
      againstNode(settings, zett, results);
    }
  }

  private void againstNode(Settings settings, SpawnLoop zett, Results results) throws Exception {
    String what = "against an agent sandbox in Node";
    Peer node = Peer.node(settings).orElse(null);
    if (node == null) {
      results.skip(name(), what, "not in the folder of --peers");
      return;
    }
    try (SpawnLoop theirs = node.spawnLoop(settings).start()) {
      Pairs pairs = take(settings, zett, theirs);
      results.add(
          Row.ratio(name(), what, Unit.MILLISECONDS, pairs, node.name(), Goal.atMost(0.36)));
    }
  }

  private static Pairs take(Settings settings, SpawnLoop zett, SpawnLoop other) throws Exception {
    return Pairs.take(
        settings.rounds(WARM_UP, PAIRS, SECONDS), zett::milliseconds, other::milliseconds);
  }
}
