package io.zett.sandbox.benchmarks;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.batch.Batch;
import io.zett.sandbox.batch.Job;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Jobs a second, each with a session and a private workspace of its own that has a file in it,
 * against {@code xargs -P} over bubblewrap, which makes no workspace.
 */
final class BatchRate implements Section {
  private static final List<Integer> PARALLEL = List.of(1, 2, 4);
  private static final int JOBS = 100;
  private static final int QUICK_JOBS = 50;
  private static final int ROUNDS = 3;
  private static final byte[] FILE = {'x'};

  @Override
  public String name() {
    return "batch";
  }

  @Override
  public String title() {
    return "Jobs of a batch";
  }

  @Override
  public void run(Settings settings, Results results) throws Exception {
    SandboxPolicy policy = SandboxPolicy.builder().build();
    int jobs = settings.amount(JOBS, QUICK_JOBS);
    try (Bubblewrap bubblewrap = new Bubblewrap(settings, policy)) {
      for (int parallel : PARALLEL) {
        List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", Many.XARGS, "sh"));
        words.addAll(List.of(Integer.toString(jobs), Integer.toString(parallel)));
        words.addAll(bubblewrap.commandLine(List.of("true")));
        try (SpawnLoop xargs = settings.spawnLoop(words).withEnvironment().start()) {
          Pairs pairs =
              Pairs.take(
                  Rounds.exactly(1, settings.count(ROUNDS)),
                  Measured.perSecond(
                      jobs, Measured.milliseconds(() -> runAll(policy, parallel, jobs))),
                  Measured.perSecond(jobs, xargs::milliseconds));
          results.add(
              Row.ratio(
                  "batch",
                  parallel + " at once",
                  Unit.COMMANDS_PER_SECOND,
                  pairs,
                  "xargs -P " + parallel + " bubblewrap",
                  null));
        }
      }
    }
  }

  private static void runAll(SandboxPolicy policy, int parallel, int count) throws IOException {
    SandboxCommand program = SandboxCommand.of("true");
    int[] succeeded = {0};
    new Batch(policy, parallel)
        .run(
            IntStream.range(0, count)
                .mapToObj(i -> Job.of("job" + i, program).file("in", FILE))
                .iterator(),
            result ->
                succeeded[0] +=
                    result.result().filter(each -> each.succeeded()).isPresent() ? 1 : 0);
    if (succeeded[0] != count) {
      throw new IOException(succeeded[0] + " of " + count + " jobs succeeded");
    }
  }
}
