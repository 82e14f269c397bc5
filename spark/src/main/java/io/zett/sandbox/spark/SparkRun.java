package io.zett.sandbox.spark;

import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.SandboxUnavailableException;
import io.zett.sandbox.batch.Job;
import io.zett.sandbox.batch.JobResult;
import io.zett.sandbox.cli.BatchEngine;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;

/** A batch of {@code zett batch --master}: a Spark application from its start to its end. */
final class SparkRun implements BatchEngine.Run {
  private static final int PATIENCE_SECONDS = 30;
  private static final int SECRET_BYTES = 32;

  private final Master master;
  private final SandboxPolicy policy;
  private final Consumer<String> say;
  private @Nullable JavaSparkContext spark;
  private @Nullable ClusterBatch batch;
  private boolean canceled;

  SparkRun(Master master, SandboxPolicy policy, Consumer<String> say) {
    this.master = master;
    this.policy = policy;
    this.say = say;
  }

  @Override
  public boolean run(Iterator<Job> jobs, BiConsumer<JobResult, String> results) {
    master.reach();
    ClusterBatch begun = begin();
    if (begun == null || !isReady(begun)) {
      return false;
    }
    return begun.run(jobs, result -> results.accept(result.jobResult(), result.host()));
  }

  private @Nullable ClusterBatch begin() {
    JavaSparkContext context = new JavaSparkContext(settings(master));
    synchronized (this) {
      spark = context;
      batch = new ClusterBatch(context, policy);
      return canceled ? null : batch;
    }
  }

  /** What an earlier setting, {@code -Dspark.…} of this JVM, says stays. */
  static SparkConf settings(Master master) {
    SparkConf settings = new SparkConf().setMaster(master.url()).setAppName("zett batch");
    settings.setIfMissing("spark.ui.enabled", "false");
    settings.setIfMissing("spark.ui.showConsoleProgress", "false");
    // Of all results of a job together. Here they are written and gone.
    settings.setIfMissing("spark.driver.maxResultSize", "0");
    // MiB of one task: a slice, or one job that is larger.
    settings.setIfMissing("spark.rpc.message.maxSize", "512");
    if (master.isHere()) {
      settings.setIfMissing("spark.driver.host", "127.0.0.1");
      settings.setIfMissing("spark.driver.bindAddress", "127.0.0.1");
    }
    if (master.url().startsWith("local") && !settings.contains("spark.authenticate")) {
      // Whoever reaches the driver's port, a job with the network on too, could tell it what to do.
      byte[] secret = new byte[SECRET_BYTES];
      new SecureRandom().nextBytes(secret);
      settings.set("spark.authenticate", "true");
      settings.set("spark.authenticate.secret", HexFormat.of().formatHex(secret));
    }
    List<String> jars =
        Stream.of(SandboxSession.class, Job.class, PolicySpec.class)
            .map(SparkRun::file)
            // Classes that are in no jar are those of a build, whose tests name them otherwise.
            .filter(Files::isRegularFile)
            .map(Path::toString)
            .toList();
    if (!jars.isEmpty()) {
      settings.set("spark.jars", String.join(",", jars));
    }
    return settings;
  }

  private static Path file(Class<?> type) {
    CodeSource source = Objects.requireNonNull(type.getProtectionDomain().getCodeSource());
    try {
      return Path.of(source.getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A machine that can run nothing is told once, not for every job. */
  private boolean isReady(ClusterBatch begun) {
    CountDownLatch answered = new CountDownLatch(1);
    Thread.ofVirtual().name("zett-batch-patience").start(() -> tellOfWaiting(answered));
    Exception failure;
    try {
      failure = begun.probe();
    } catch (Exception e) {
      if (isCanceled()) {
        return false;
      }
      throw new SandboxUnavailableException(
          "--master: no executor of "
              + master.url()
              + " could run a first job: "
              + Failures.text(e),
          "executors need Spark 4.2 on JDK 25 and what the sandbox needs; see docs/scale.md",
          e);
    } finally {
      answered.countDown();
    }
    switch (failure) {
      case null -> {}
      case RuntimeException e -> throw e;
      default -> throw new IllegalStateException(failure.getMessage(), failure);
    }
    return !isCanceled();
  }

  private void tellOfWaiting(CountDownLatch answered) {
    try {
      if (!answered.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        say.accept(
            "waiting for an executor of "
                + master.url()
                + ": are there workers with a free core and 1 GB of memory?");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean isCanceled() {
    return canceled;
  }

  @Override
  public void cancel() {
    ClusterBatch begun;
    synchronized (this) {
      canceled = true;
      begun = batch;
    }
    if (begun != null) {
      begun.cancel();
    }
  }

  @Override
  public void close() {
    JavaSparkContext begun;
    synchronized (this) {
      begun = spark;
    }
    if (begun != null) {
      begun.close();
    }
  }
}
