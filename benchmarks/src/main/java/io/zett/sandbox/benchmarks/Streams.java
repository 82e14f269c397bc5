package io.zett.sandbox.benchmarks;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.util.List;

/** What goes through a command's standard streams. */
final class Streams implements Section {
  private static final int MEBI = 1 << 20;
  private static final int OUT = 2048;
  private static final int QUICK_OUT = 1024;
  private static final int KEPT = 100;
  private static final int IN = 1024;
  private static final int PAIRS = 7;
  private static final int SECONDS = 6;

  @Override
  public String name() {
    return "streams";
  }

  @Override
  public String title() {
    return "Output and input";
  }

  @Override
  public void run(Settings settings, Results results) throws Exception {
    SandboxPolicy policy = SandboxPolicy.builder().build();
    try (SandboxSession session = SandboxSession.builder(policy).open();
        Bubblewrap bubblewrap = new Bubblewrap(settings, policy)) {
      beyondTheCap(settings, session, bubblewrap, results);
      kept(settings, session, bubblewrap, results);
      input(settings, session, bubblewrap, results);
    }
  }

  private static List<String> zeros(int mebibytes) {
    return List.of("dd", "if=/dev/zero", "bs=1M", "count=" + mebibytes, "status=none");
  }

  private static void beyondTheCap(
      Settings settings, SandboxSession session, Bubblewrap bubblewrap, Results results)
      throws Exception {
    int size = settings.amount(OUT, QUICK_OUT);
    SandboxCommand command = SandboxCommand.of(zeros(size)).checked();
    String text = "\"$@\" " + String.join(" ", zeros(size)) + " | cat >/dev/null";
    try (SpawnLoop pipe = bubblewrap.shell(text).start()) {
      add(
          settings,
          results,
          size + " MiB of output, 1 MiB of them kept",
          size,
          () -> expect(session.run(command).stdoutTotalBytes(), size),
          pipe,
          "bubblewrap | cat >/dev/null",
          1.2);
    }
  }

  private static void kept(
      Settings settings, SandboxSession session, Bubblewrap bubblewrap, Results results)
      throws Exception {
    SandboxCommand command =
        SandboxCommand.of(zeros(KEPT)).maxOutputBytes((long) KEPT * MEBI).checked();
    try (SpawnLoop reader = bubblewrap.running(zeros(KEPT)).keepingOutput().start()) {
      add(
          settings,
          results,
          KEPT + " MiB of output, all kept",
          KEPT,
          () -> expect(session.run(command).stdoutBytes().length, KEPT),
          reader,
          "bubblewrap, read by a C program",
          0.8);
    }
  }

  private static void input(
      Settings settings, SandboxSession session, Bubblewrap bubblewrap, Results results)
      throws Exception {
    int size = settings.amount(IN, IN / 2);
    long bytes = (long) size * MEBI;
    SandboxCommand command = SandboxCommand.of("wc", "-c").checked();
    try (SpawnLoop writer = bubblewrap.running(List.of("wc", "-c")).fed(bytes).start()) {
      add(
          settings,
          results,
          size + " MiB of input from a stream, to wc -c",
          size,
          () -> {
            SandboxResult result = session.run(command.input(new Zeros(bytes)));
            expect(Long.parseLong(result.stdout().strip()), size);
          },
          writer,
          "bubblewrap, written by a C program",
          0.9);
    }
  }

  private static void expect(long bytes, int mebibytes) throws IOException {
    if (bytes != (long) mebibytes * MEBI) {
      throw new IOException(bytes + " bytes in place of " + mebibytes + " MiB");
    }
  }

  private static void add(
      Settings settings,
      Results results,
      String what,
      int mebibytes,
      Measured.Action ours,
      SpawnLoop theirs,
      String baseline,
      double goal)
      throws Exception {
    double megabytes = mebibytes * (MEBI / 1e6);
    Pairs pairs =
        Pairs.take(
            settings.rounds(1, PAIRS, SECONDS),
            Measured.perSecond(megabytes, Measured.milliseconds(ours)),
            Measured.perSecond(megabytes, theirs::milliseconds));
    results.add(
        Row.ratio("streams", what, Unit.MEGABYTES_PER_SECOND, pairs, baseline, Goal.atLeast(goal)));
  }
}
