package io.zett.sandbox.cases.output;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Measures what streams cost: how fast a command runs on past its cap, how fast input and kept
 * output are, and how much a flood delays deadlines and other commands. Figures for people; no test
 * depends on them.
 */
final class StreamCosts {
  private static final int PAIRS = 15;
  private static final int SAMPLES = 100;
  private static final String ZEROS = "head -c 2000000000 /dev/zero";
  private static final Duration DEADLINE = Duration.ofMillis(100);

  private StreamCosts() {}

  /** Arguments: {@code speed} or {@code delay}; none for both. */
  public static void main(String[] arguments) {
    List<String> wanted = arguments.length == 0 ? List.of("speed", "delay") : List.of(arguments);
    try (SandboxSession session = SandboxSession.builder().noTimeout().open()) {
      if (wanted.contains("speed")) {
        speed(session);
      }
      if (wanted.contains("delay")) {
        delay(session);
      }
    }
  }

  private static void speed(SandboxSession session) {
    SandboxCommand cat = SandboxCommand.shell(ZEROS + " | cat >/dev/null");
    compare("2 GB past a cap of 1 MiB", session, cat, SandboxCommand.shell(ZEROS), 2_000_000_000L);
    SandboxCommand kept = SandboxCommand.shell("head -c 100000000 /dev/zero");
    compare(
        "100 MB kept",
        session,
        SandboxCommand.shell("head -c 100000000 /dev/zero | cat >/dev/null"),
        kept.maxOutputBytes(Long.MAX_VALUE),
        100_000_000L);
    SandboxCommand reads = SandboxCommand.shell("head -c 500000000 >/dev/null");
    SandboxCommand piped =
        SandboxCommand.shell("head -c 500000000 /dev/zero | head -c 500000000 >/dev/null");
    compare("500 MB of input from a file", session, piped, reads.input(Path.of("/dev/zero")), 0);
    byte[] bytes = new byte[500_000_000];
    compare("500 MB of input from an array", session, piped, reads.input(bytes), 0);
    compare(
        "500 MB of input from a stream",
        session,
        piped,
        () -> reads.input(new ByteArrayInputStream(bytes)),
        0);
  }

  private static void compare(
      String what, SandboxSession session, SandboxCommand pipe, SandboxCommand ours, long total) {
    compare(what, session, pipe, () -> ours, total);
  }

  /** Interleaved pairs, so that what else the machine does hits both alike. */
  private static void compare(
      String what,
      SandboxSession session,
      SandboxCommand pipe,
      Supplier<SandboxCommand> ours,
      long total) {
    double[] ratios = new double[PAIRS];
    double[] times = new double[PAIRS];
    for (int i = -1; i < PAIRS; i++) {
      double reference = i % 2 == 0 ? seconds(session, pipe, 0) : 0;
      double measured = seconds(session, ours.get(), total);
      reference += i % 2 == 0 ? 0 : seconds(session, pipe, 0);
      if (i >= 0) {
        times[i] = measured;
        ratios[i] = reference / measured;
      }
    }
    System.out.printf(
        "%s: %.2f of the speed of a pipe to cat (%.2f to %.2f), %.3f s%n",
        what, at(ratios, 50), at(ratios, 0), at(ratios, 100), at(times, 50));
  }

  private static double seconds(SandboxSession session, SandboxCommand command, long total) {
    SandboxResult result = session.run(command).check();
    if (result.stdoutTotalBytes() != total) {
      throw new IllegalStateException(result.stdoutTotalBytes() + " bytes");
    }
    return result.usage().wall().toNanos() / 1e9;
  }

  private static void delay(SandboxSession session) {
    samples("nothing else", session);
    SandboxCommand yes = SandboxCommand.of("yes");
    during("a flood past its cap", session, List.of(yes.maxOutputBytes(1000)));
    during(
        "four floods past their caps",
        session,
        Stream.generate(() -> yes.maxOutputBytes(1000)).limit(4).toList());
    during(
        "a flood of which all is kept, up to 1 GB",
        session,
        List.of(SandboxCommand.of("cat", "/dev/zero").maxOutputBytes(1_000_000_000)));
  }

  private static void during(String what, SandboxSession session, List<SandboxCommand> floods) {
    List<CompletableFuture<SandboxResult>> running =
        floods.stream().map(session::runAsync).toList();
    try {
      samples(what, session);
    } finally {
      running.forEach(each -> each.cancel(true));
    }
  }

  /** A thread that only sleeps, at the same time, tells what is the machine's fault. */
  private static void samples(String what, SandboxSession session) {
    double[] late = new double[SAMPLES];
    double[] quick = new double[SAMPLES];
    double[] control = new double[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
      CompletableFuture<Double> sleeper = CompletableFuture.supplyAsync(StreamCosts::lateSleep);
      SandboxResult ended = session.run(SandboxCommand.of("sleep", "600").timeout(DEADLINE));
      late[i] = millisAfterDeadline(ended.usage().wall().toNanos());
      control[i] = sleeper.join();
      long begin = System.nanoTime();
      session.run(List.of("true"));
      quick[i] = (System.nanoTime() - begin) / 1e6;
    }
    System.out.println(what + ", ms (median, 98 of 100, largest):");
    print("  a deadline is late by", late);
    print("  a thread that sleeps is late by", control);
    print("  the command true takes", quick);
  }

  private static double lateSleep() {
    long begin = System.nanoTime();
    for (long left = DEADLINE.toNanos(); left > 0; ) {
      LockSupport.parkNanos(left);
      left = DEADLINE.toNanos() - (System.nanoTime() - begin);
    }
    return millisAfterDeadline(System.nanoTime() - begin);
  }

  private static double millisAfterDeadline(long nanos) {
    return (nanos - DEADLINE.toNanos()) / 1e6;
  }

  private static void print(String what, double[] values) {
    System.out.printf(
        "%s %.1f, %.1f, %.1f%n", what, at(values, 50), at(values, 98), at(values, 100));
  }

  private static double at(double[] values, int percent) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[Math.min(sorted.length - 1, sorted.length * percent / 100)];
  }
}
