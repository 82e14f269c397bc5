package io.zett.sandbox.spark;

import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.batch.Job;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;

/**
 * A stream of jobs through Spark: each slice is a Spark job of one task, several of them on their
 * way, and results are handed on as slices end. So neither the jobs nor the results need be in the
 * driver's memory together. For one run; {@link #cancel} may be called from any thread.
 */
final class ClusterBatch {
  private static final String GROUP = "zett batch";

  /** How often executors that came or went are noticed. */
  private static final long LOOK_MILLIS = 1000;

  private final JavaSparkContext spark;
  private final PolicySpec policy;
  private final Slices slices;
  private int running;
  private boolean canceled;
  private @Nullable Throwable problem;

  ClusterBatch(JavaSparkContext spark, SandboxPolicy policy) {
    this.spark = spark;
    this.policy = PolicySpec.of(policy);
    // One that runs and one that waits for each core.
    this.slices = new Slices(() -> 2 * spark.defaultParallelism());
  }

  /**
   * Why an executor can run nothing; null if one can. Waits for an executor.
   *
   * @throws Exception if not even that can be found out
   */
  @Nullable Exception probe() throws Exception {
    PolicySpec spec = policy;
    group();
    FailureSpec failure =
        spark.parallelize(List.of(1), 1).map(_ -> ExecutorPool.of(spec).probe()).first();
    return failure == null ? null : failure.exception();
  }

  /**
   * Runs all of them, and returns when the last has ended.
   *
   * @param jobs as {@link io.zett.sandbox.batch.Batch#run} takes them
   * @param results called by one thread at a time; what it throws ends the batch and is thrown here
   * @return whether every job has had its result
   */
  boolean run(Iterator<Job> jobs, Consumer<ProgramResult> results) {
    Thread reader = Thread.ofVirtual().name("zett-batch-jobs").start(() -> slices.fill(jobs));
    try {
      for (List<JobSpec> slice = next(); slice != null; slice = next()) {
        List<JobSpec> taken = slice;
        count(1);
        Thread.ofVirtual().name("zett-batch-slice").start(() -> work(taken, results));
      }
      awaitAll();
    } catch (InterruptedException e) {
      cancel();
      Thread.currentThread().interrupt();
    } finally {
      reader.interrupt();
    }
    note(slices.problem());
    synchronized (this) {
      switch (problem) {
        case null -> {}
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        default -> throw new IllegalStateException(problem);
      }
      return !canceled;
    }
  }

  /** One is cut when it can go, by what is known then. */
  private @Nullable List<JobSpec> next() throws InterruptedException {
    synchronized (this) {
      while (running >= 2 * spark.defaultParallelism() && !canceled) {
        wait(LOOK_MILLIS);
      }
    }
    return slices.next();
  }

  private synchronized void count(int change) {
    running += change;
    notifyAll();
  }

  private synchronized void awaitAll() throws InterruptedException {
    while (running > 0) {
      wait();
    }
  }

  private void work(List<JobSpec> slice, Consumer<ProgramResult> results) {
    try {
      run(slice, results);
    } catch (Throwable e) {
      note(e);
      cancel();
    } finally {
      count(-1);
    }
  }

  /**
   * A slice whose task failed for good, because executors were lost with it, is run job by job: the
   * one that takes them along has that for its result.
   */
  private void run(List<JobSpec> slice, Consumer<ProgramResult> results) {
    List<ProgramResult> ended;
    try {
      ended = collect(slice);
      slices.took(
          ended.size(),
          ended.stream().mapToLong(ProgramResult::nanos).sum(),
          ended.stream().mapToLong(ProgramResult::weight).sum());
    } catch (Exception e) {
      if (isCanceled()) {
        return;
      }
      if (spark.sc().isStopped()) {
        throw new IllegalStateException("Spark has ended: " + Failures.text(e), e);
      }
      if (slice.size() > 1) {
        slice.forEach(job -> run(List.of(job), results));
        return;
      }
      ended = List.of(ProgramResult.failed(slice.getFirst().id(), "", Failures.told(e), 0));
    }
    synchronized (results) {
      if (!isCanceled()) {
        ended.forEach(results);
      }
    }
  }

  private List<ProgramResult> collect(List<JobSpec> slice) throws Exception {
    PolicySpec spec = policy;
    group();
    return spark
        .parallelize(new ArrayList<>(slice), 1)
        .mapPartitions(each -> ExecutorPool.of(spec).results(each))
        .collect();
  }

  /** For the calling thread: what it asks of Spark can be cancelled, with a task's thread. */
  private void group() {
    spark.setJobGroup(GROUP, GROUP, true);
  }

  private synchronized boolean isCanceled() {
    return canceled;
  }

  private synchronized void note(@Nullable Throwable cause) {
    if (problem == null) {
      problem = cause;
    }
  }

  /** Ends the jobs that run, and begins no further one. Returns soon; twice is harmless. */
  void cancel() {
    synchronized (this) {
      canceled = true;
      notifyAll();
    }
    slices.cancel();
    spark.sc().cancelJobGroupAndFutureJobs(GROUP);
  }
}
