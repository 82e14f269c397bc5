package io.zett.sandbox.batch;

import io.zett.sandbox.SandboxCanceledException;
import io.zett.sandbox.SandboxPolicy;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the jobs of an iterator, several at once, and hands on each result as soon as it is there.
 * No more jobs are taken from the iterator than are run, so there may be any number. For one run;
 * {@link #cancel} may be called from any thread.
 */
public final class Batch {
  private final JobRunner runner;
  private final int parallel;
  private final List<Thread> workers = new ArrayList<>();
  private volatile boolean canceled;
  private volatile boolean exhausted;
  private @Nullable Throwable problem;

  /**
   * A batch that has not begun.
   *
   * @param policy for every job, see {@link JobRunner}
   * @param parallel how many run at once, 1 to 10,000; as many as there are processors keeps them
   *     busy with programs that compute
   * @throws IllegalArgumentException if {@code parallel} is out of range
   */
  public Batch(SandboxPolicy policy, int parallel) {
    if (parallel < 1 || parallel > 10_000) {
      throw new IllegalArgumentException(
          "parallel: " + parallel + " is out of range; from 1 to 10000");
    }
    this.runner = new JobRunner(policy);
    this.parallel = parallel;
  }

  /**
   * Runs all of them, and returns when the last has ended. A job that is cut off by {@link #cancel}
   * or by an interruption of this thread has no result, and no further one begins.
   *
   * @param jobs asked by one thread at a time; one that waits should end when it is interrupted;
   *     what it throws is thrown here once the jobs that run have ended
   * @param results called by one thread at a time, in the order in which the jobs end; what it
   *     throws ends the batch and is thrown here
   * @return whether every job has had its result
   * @throws IllegalStateException if it has run before
   */
  public boolean run(Iterator<Job> jobs, Consumer<JobResult> results) {
    CountDownLatch ended = new CountDownLatch(parallel);
    Object sink = new Object();
    synchronized (this) {
      if (!workers.isEmpty()) {
        throw new IllegalStateException("a batch runs once");
      }
      for (int i = 0; i < parallel; i++) {
        workers.add(
            Thread.ofVirtual()
                .name("zett-batch-", i)
                .unstarted(
                    () -> {
                      try {
                        work(jobs, results, sink);
                      } catch (SandboxCanceledException e) {
                        cancel();
                      } catch (Throwable e) {
                        fail(e);
                      } finally {
                        ended.countDown();
                      }
                    }));
      }
      workers.forEach(Thread::start);
    }
    await(ended);
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

  private void work(Iterator<Job> jobs, Consumer<JobResult> results, Object sink) {
    for (Job job = next(jobs); job != null; job = next(jobs)) {
      JobResult result = runner.run(job);
      synchronized (sink) {
        results.accept(result);
      }
    }
  }

  private @Nullable Job next(Iterator<Job> jobs) {
    synchronized (jobs) {
      try {
        return !canceled && !exhausted && jobs.hasNext() ? jobs.next() : null;
      } catch (RuntimeException | Error e) {
        exhausted = true;
        note(e);
        return null;
      }
    }
  }

  private void await(CountDownLatch ended) {
    boolean interrupted = false;
    while (true) {
      try {
        ended.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
        cancel();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void fail(Throwable cause) {
    note(cause);
    cancel();
  }

  private synchronized void note(Throwable cause) {
    if (problem == null) {
      problem = cause;
    }
  }

  /** Ends the jobs that run, and begins no further one. Returns at once; twice is harmless. */
  public synchronized void cancel() {
    canceled = true;
    workers.forEach(Thread::interrupt);
  }
}
