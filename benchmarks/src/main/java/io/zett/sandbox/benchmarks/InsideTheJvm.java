package io.zett.sandbox.benchmarks;

import io.zett.sandbox.engine.CommandBenchmark;
import io.zett.sandbox.process.BlockBenchmark;
import java.util.Collection;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** What a command takes inside the JVM, by JMH. */
final class InsideTheJvm implements Section {
  private static final int ITERATIONS = 5;
  private static final int WARM_UP = 2;

  /** What all threads of the JVM allocated, divided by the number of calls. */
  private static final String ALLOCATED = "gc.alloc.rate.norm";

  private static final Goal GOAL = Goal.atMost(4096);

  @Override
  public String name() {
    return "jmh";
  }

  @Override
  public String title() {
    return "Inside the JVM, by JMH";
  }

  @Override
  public void run(Settings settings, Results results) throws Exception {
    Options options =
        new OptionsBuilder()
            .include(Pattern.quote(CommandBenchmark.class.getName()))
            .include(Pattern.quote(BlockBenchmark.class.getName()))
            .jvmArgsAppend(
                "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow")
            .forks(1)
            .warmupIterations(WARM_UP)
            .warmupTime(TimeValue.seconds(1))
            .measurementIterations(settings.count(ITERATIONS))
            .measurementTime(TimeValue.seconds(1))
            .addProfiler(GCProfiler.class)
            .verbosity(VerboseMode.SILENT)
            .shouldFailOnError(true)
            .build();
    for (RunResult run : new Runner(options).run()) {
      add(run, results);
    }
  }

  private static void add(RunResult run, Results results) {
    String name = run.getParams().getBenchmark();
    String method = name.substring(name.lastIndexOf('.') + 1);
    boolean wholeCommand = method.equals("command");
    Samples times = samples(run, null);
    Samples allocated = samples(run, ALLOCATED);
    if (!wholeCommand) {
      results.add(
          new Row(
              "jmh",
              title(method) + ": time",
              Unit.MICROSECONDS,
              times,
              null,
              new Judged("µs", times.median(), null)));
    }
    results.add(
        new Row(
            "jmh",
            title(method) + ": allocated",
            Unit.BYTES,
            allocated,
            null,
            new Judged("B", allocated.median(), wholeCommand ? GOAL : null)));
  }

  private static String title(String method) {
    return switch (method) {
      case "command" -> "a whole command";
      case "look" -> "the look at the disk";
      case "plan" -> "from the policy to bubblewrap's arguments";
      case "planAgain" -> "the same when nothing has changed";
      case "encode" -> "encoding the command for zett-init";
      default -> throw new IllegalArgumentException("no such benchmark: " + method);
    };
  }

  /** The figure of each iteration; the benchmark's own one, or that of a profiler. */
  private static Samples samples(RunResult run, @Nullable String secondary) {
    return Samples.of(
        run.getBenchmarkResults().stream()
            .map(BenchmarkResult::getIterationResults)
            .flatMap(Collection::stream)
            .flatMap(
                iteration ->
                    secondary == null
                        ? Stream.of(iteration.getPrimaryResult())
                        : iteration.getSecondaryResults().values().stream()
                            .filter(result -> result.getLabel().endsWith(secondary)))
            .map(Result::getScore)
            .toList());
  }
}
