package io.zett.sandbox.spark;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.batch.Batch;
import io.zett.sandbox.batch.Job;
import io.zett.sandbox.batch.JobResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * What Spark costs beside a batch in one process: {@code ./bench spark}. Everything runs two jobs
 * at once. Ratios count; the in-process batch is measured at the beginning, and again after the
 * engines, which tells whether the machine has stayed as it was.
 */
public final class SparkRate {
  private static final SandboxPolicy POLICY = SandboxPolicy.builder().build();
  private static final SandboxCommand PROGRAM = SandboxCommand.of("true");
  private static final int CORES = 2;
  private static final int MOST_WARM_UP = 200;
  private static final int MOST_AGAIN = 1000;

  private SparkRate() {}

  /** The number of jobs. SPARK_HOME is a folder that is not there yet. */
  public static void main(String[] words) throws Exception {
    int jobs = Integer.parseInt(words[0]);
    Path home = Path.of(System.getenv("SPARK_HOME"));
    String folders = SparkHome.make(home);
    inProcess(Math.min(MOST_WARM_UP, jobs));
    System.out.printf("%d jobs that do nothing, %d at once%n%n", jobs, CORES);
    System.out.println("| engine | start, s | jobs a second | of a batch in one process |");
    System.out.println("|---|---|---|---|");
    double base = rate(jobs, () -> inProcess(jobs));
    row("in one process", 0, base, base);
    for (String master : List.of("local[2]", "local-cluster[2,1,1024]")) {
      double[] measured = cluster(master, folders, jobs);
      row(master, measured[0], measured[1], base);
    }
    int again = Math.min(MOST_AGAIN, jobs);
    row("in one process, " + again + " again", 0, rate(again, () -> inProcess(again)), base);
    try (JavaSparkContext spark = start("local[2]", folders)) {
      stream(spark, trivial(Math.min(MOST_WARM_UP, jobs)));
      sizes(spark, Math.min(MOST_AGAIN, jobs));
      skew(spark);
    }
  }

  private static double[] cluster(String master, String folders, int jobs) throws Exception {
    long begun = System.nanoTime();
    try (JavaSparkContext spark = start(master, folders)) {
      new ClusterBatch(spark, POLICY).probe();
      double start = (System.nanoTime() - begun) / 1e9;
      stream(spark, trivial(Math.min(MOST_WARM_UP, jobs)));
      return new double[] {start, rate(jobs, () -> stream(spark, trivial(jobs)))};
    }
  }

  /** What a partition costs, and what partitions that are too large do. */
  private static void sizes(JavaSparkContext spark, int jobs) throws Exception {
    System.out.printf("%nSandboxedPrograms on local[2], %d jobs that do nothing%n%n", jobs);
    System.out.println("| jobs in a partition | jobs a second | of a batch in one process |");
    System.out.println("|---|---|---|");
    double base = rate(jobs, () -> inProcess(jobs));
    List<JobSpec> specs = trivial(jobs).stream().map(JobSpec::of).toList();
    for (int size : List.of(1, 4, 16, 64)) {
      double rate = rate(jobs, () -> partitions(spark, specs, Math.max(CORES, jobs / size)));
      System.out.printf(Locale.ROOT, "| %d | %.0f | %.2f |%n", size, rate, rate / base);
    }
  }

  /** Jobs of which the first tenth waits, 50 times as long as another takes. */
  private static void skew(JavaSparkContext spark) throws Exception {
    int count = 160;
    SandboxCommand slow = SandboxCommand.of("sleep", "1");
    List<Job> jobs =
        IntStream.range(0, count)
            .mapToObj(i -> Job.of("job" + i, i < count / 10 ? slow : PROGRAM))
            .toList();
    List<JobSpec> specs = jobs.stream().map(JobSpec::of).toList();
    System.out.printf(
        "%n%d jobs, of which the first %d take a second; 1.00 keeps both cores busy to the end%n%n",
        count, count / 10);
    System.out.println("| how they are cut | time, s | of a batch in one process |");
    System.out.println("|---|---|---|");
    double base = seconds(() -> new Batch(POLICY, CORES).run(jobs.iterator(), _ -> {}));
    System.out.printf(Locale.ROOT, "| one by one, in one process | %.1f | 1.00 |%n", base);
    for (int partitions : List.of(CORES, 4 * CORES, 20 * CORES, count)) {
      double time = seconds(() -> partitions(spark, specs, partitions));
      System.out.printf(
          Locale.ROOT, "| %d partitions | %.1f | %.2f |%n", partitions, time, time / base);
    }
    double time = seconds(() -> stream(spark, jobs));
    System.out.printf(Locale.ROOT, "| zett batch --master | %.1f | %.2f |%n", time, time / base);
  }

  private static JavaSparkContext start(String url, String folders) {
    Master master = Master.of(url, name -> Optional.ofNullable(System.getenv(name)));
    SparkConf settings = SparkRun.settings(master);
    settings.set("spark.executor.extraClassPath", folders);
    return new JavaSparkContext(settings);
  }

  private static List<Job> trivial(int count) {
    return IntStream.range(0, count).mapToObj(i -> Job.of("job" + i, PROGRAM)).toList();
  }

  private static void inProcess(int count) throws IOException {
    AtomicLong succeeded = new AtomicLong();
    Consumer<JobResult> counter = counter(succeeded);
    new Batch(POLICY, CORES).run(trivial(count).iterator(), counter);
    check(count, succeeded);
  }

  private static void stream(JavaSparkContext spark, List<Job> jobs) throws IOException {
    AtomicLong succeeded = new AtomicLong();
    Consumer<JobResult> counter = counter(succeeded);
    new ClusterBatch(spark, POLICY)
        .run(jobs.iterator(), result -> counter.accept(result.jobResult()));
    check(jobs.size(), succeeded);
  }

  private static void partitions(JavaSparkContext spark, List<JobSpec> jobs, int partitions)
      throws IOException {
    AtomicLong succeeded = new AtomicLong();
    SandboxedPrograms.under(POLICY)
        .run(spark.parallelize(new ArrayList<>(jobs), partitions))
        .collect()
        .forEach(result -> counter(succeeded).accept(result.jobResult()));
    check(jobs.size(), succeeded);
  }

  private static Consumer<JobResult> counter(AtomicLong succeeded) {
    return job ->
        job.result().filter(each -> each.succeeded()).ifPresent(_ -> succeeded.addAndGet(1));
  }

  private static void check(int count, AtomicLong succeeded) throws IOException {
    if (succeeded.get() != count) {
      throw new IOException(succeeded + " of " + count + " jobs succeeded");
    }
  }

  /** Something to be timed. */
  @FunctionalInterface
  private interface Work {
    void run() throws Exception;
  }

  private static double seconds(Work work) throws Exception {
    long begun = System.nanoTime();
    work.run();
    return (System.nanoTime() - begun) / 1e9;
  }

  private static double rate(int jobs, Work work) throws Exception {
    return jobs / seconds(work);
  }

  private static void row(String engine, double start, double rate, double base) {
    System.out.printf(
        Locale.ROOT, "| %s | %.1f | %.0f | %.2f |%n", engine, start, rate, rate / base);
  }
}
