package io.zett.sandbox.benchmarks;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxProcess;
import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;

/**
 * How long what a command writes takes to whoever reads its stream. The program answers each line
 * with the kernel's monotonic clock (clock_gettime(2)), which {@code System.nanoTime} reads, too.
 */
final class FirstByte implements Section {
  private static final int PAIRS = 500;
  private static final int SECONDS = 5;
  private static final int WARM_UP = 50;
  private static final double GOAL = 5;
  private static final List<String> ANSWERING =
      List.of(
          "python3",
          "-c",
          """
          import sys, time
          for line in sys.stdin: print(time.monotonic_ns(), flush=True)
          """);

  @Override
  public String name() {
    return "firstbyte";
  }

  @Override
  public String title() {
    return "From a command's write to its reader";
  }

  @Override
  public void run(Settings settings, Results results) throws Exception {
    try (SandboxSession session = SandboxSession.builder().open()) {
      SandboxCommand piped = SandboxCommand.of(ANSWERING).noTimeout();
      add(settings, results, "through a pipe", session, piped);
      add(settings, results, "through a terminal", session, piped.terminal(24, 80));
    }
  }

  private static void add(
      Settings settings,
      Results results,
      String what,
      SandboxSession session,
      SandboxCommand command)
      throws Exception {
    Process bare = new ProcessBuilder(ANSWERING).start();
    try (SandboxProcess process = session.start(command)) {
      InputStream out = process.stdout();
      Pairs pairs =
          Pairs.take(
              settings.rounds(WARM_UP, PAIRS, SECONDS),
              () -> milliseconds(process.stdin(), out),
              () -> milliseconds(bare.getOutputStream(), bare.getInputStream()));
      results.add(
          new Row(
              "firstbyte",
              what,
              Unit.MILLISECONDS,
              pairs.measured(),
              new Row.Baseline("ProcessBuilder, no sandbox", pairs.baseline()),
              new Judged("ms, p95", Unit.MILLISECONDS.tail(pairs.measured()), Goal.atMost(GOAL))));
    } finally {
      bare.destroyForcibly();
    }
  }

  private static double milliseconds(OutputStream in, InputStream out) throws IOException {
    in.write('\n');
    in.flush();
    while (true) {
      long arrived = 0;
      long written = 0;
      for (int next = out.read(); next != '\n'; next = out.read()) {
        if (next < 0) {
          throw new IOException("the program has ended");
        }
        arrived = arrived == 0 ? System.nanoTime() : arrived;
        if (Character.isDigit(next)) {
          written = written * 10 + (next - '0');
        }
      }
      if (written > 0) { // Else it was a terminal's echo.
        return (arrived - written) / 1e6;
      }
    }
  }
}
