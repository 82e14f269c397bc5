package io.zett.sandbox.benchmarks;

import io.zett.sandbox.SandboxPolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Other sandboxes, each against bubblewrap as this library starts it. */
final class Peers implements Section {
  private static final int PAIRS = 40;
  private static final int SECONDS = 5;
  private static final int WARM_UP = 3;

  @Override
  public String name() {
    return "peers";
  }

  @Override
  public String title() {
    return "Other sandboxes: one true each";
  }

  @Override
  public void run(Settings settings, Results results) throws Exception {
    try (Scratch scratch = new Scratch();
        Bubblewrap bubblewrap = new Bubblewrap(settings, SandboxPolicy.builder().build())) {
      for (Map.Entry<String, Optional<Peer>> each : all(settings, scratch.path()).entrySet()) {
        Peer peer = each.getValue().orElse(null);
        if (peer == null) {
          results.skip(name(), each.getKey(), "not installed, and not in the folder of --peers");
        } else {
          compare(settings, peer, bubblewrap, results);
        }
      }
    }
  }

  private static Map<String, Optional<Peer>> all(Settings settings, Path scratch)
      throws IOException {
    Path bundle = Bundle.write(scratch);
    Map<String, Optional<Peer>> all = new LinkedHashMap<>();
    all.put("unshare", Peer.unshare(settings));
    all.put("nsjail", Peer.nsjail(settings));
    all.put("crun", Peer.container(settings, "crun", bundle));
    all.put("runc", Peer.container(settings, "runc", bundle));
    all.put("firejail", Peer.firejail(settings));
    all.put("@anthropic-ai/sandbox-runtime", Peer.node(settings));
    return all;
  }

  private static void compare(Settings settings, Peer peer, Bubblewrap bubblewrap, Results results)
      throws Exception {
    try (SpawnLoop probe = peer.spawnLoop(settings).quietly().start()) {
      probe.milliseconds();
    } catch (IOException e) {
      results.skip("peers", peer.name(), "does not run true here, for this user");
      return;
    }
    try (SpawnLoop theirs = peer.spawnLoop(settings).quietly().start();
        SpawnLoop loop = bubblewrap.running(List.of("true")).start()) {
      Pairs pairs =
          Pairs.take(
              settings.rounds(WARM_UP, PAIRS, SECONDS), theirs::milliseconds, loop::milliseconds);
      results.addToChart(
          peer.name(),
          Row.ratio("peers", peer.name(), Unit.MILLISECONDS, pairs, "bubblewrap", null));
    }
  }
}
