package io.zett.sandbox.benchmarks;

import java.util.ArrayList;
import java.util.List;

/** The command line: a JVM that starts, opens a sandbox, runs one program and ends. */
final class CommandStart implements Section {
  private static final int PAIRS = 30;
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
    Peer node = Peer.node(settings).orElse(null);
    try (SpawnLoop zett = settings.spawnLoop(words).withEnvironment().start();
        SpawnLoop baseline =
            node == null
                ? settings.spawnLoop(List.of(words.getFirst(), "-version")).quietly().start()
                : node.spawnLoop(settings).start()) {
      String name = node == null ? "java -version" : node.name();
      Pairs pairs =
          Pairs.take(WARM_UP, settings.count(PAIRS), zett::milliseconds, baseline::milliseconds);
      results.add(
          new Row(
              name(),
              "the Java command line of zett",
              Unit.MILLISECONDS,
              pairs.measured(),
              new Row.Baseline(name, pairs.baseline()),
              new Judged("ms on this machine", pairs.measured().median(), Goal.atMost(110))));
      if (node != null) {
        results.add(
            Row.ratio(
                name(),
                "against an agent sandbox in Node",
                Unit.MILLISECONDS,
                pairs,
                name,
                Goal.atMost(0.36)));
      }
    }
  }
}
