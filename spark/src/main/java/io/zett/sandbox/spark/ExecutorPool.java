package io.zett.sandbox.spark;

import io.zett.sandbox.SandboxCanceledException;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.batch.JobResult;
import io.zett.sandbox.batch.JobRunner;
import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.jspecify.annotations.Nullable;

/**
 * What runs the jobs in one executor JVM, for all of its tasks. A task runs its jobs one after
 * another, and Spark gives an executor as many tasks at once as it has cores. Each job has a
 * session, from its beginning to its end, and the library closes those that are open when the JVM
 * ends. Thread-safe.
 *
 * <p>No sandbox is started ahead: cores that are never idle gain nothing by it (docs/decisions.md).
 */
final class ExecutorPool {
  private static final ConcurrentMap<SandboxPolicy, ExecutorPool> POOLS = new ConcurrentHashMap<>();

  private final SandboxPolicy policy;
  private final JobRunner runner;

  private ExecutorPool(SandboxPolicy policy) {
    this.policy = policy;
    this.runner = new JobRunner(policy);
  }

  /** This JVM's own for a policy. */
  static ExecutorPool of(PolicySpec spec) {
    return POOLS.computeIfAbsent(spec.policy(), ExecutorPool::new);
  }

  /** The result of each job in its turn, when it is asked for. */
  Iterator<ProgramResult> results(Iterator<JobSpec> jobs) {
    TaskContext task = TaskContext.get();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        task.killTaskIfInterrupted();
        return jobs.hasNext();
      }

      @Override
      public ProgramResult next() {
        return run(jobs.next());
      }
    };
  }

  /**
   * Whatever the job does comes back as its result: also what this JVM had no memory for, since an
   * executor that ends by a job would take others' with it.
   *
   * @throws SandboxCanceledException if the task is being killed or the executor ends; another
   *     attempt has the result then
   */
  ProgramResult run(JobSpec job) {
    long begun = System.nanoTime();
    try {
      JobResult result = runner.run(job.job());
      return ProgramResult.of(result, host(), System.nanoTime() - begun);
    } catch (SandboxCanceledException e) {
      throw e;
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError e) {
      return ProgramResult.failed(job.id(), host(), e, System.nanoTime() - begun);
    }
  }

  /** Why this executor can run nothing; null if it can. */
  @Nullable FailureSpec probe() {
    try (SandboxSession _ = SandboxSession.builder(policy).open()) {
      return null;
    } catch (RuntimeException e) {
      return new FailureSpec(e);
    }
  }

  private static String host() {
    return SparkEnv.get().blockManager().blockManagerId().host();
  }
}
