package io.zett.sandbox.spark;

import io.zett.sandbox.batch.Job;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a stream of jobs into slices, a task each. A slice is about a second's work by what the jobs
 * before it took, so that a task's own cost does not count and a result does not wait long, and no
 * more than some memory holds of jobs or results; towards the end slices become smaller, so that
 * the last cores end together. So many jobs are read ahead as that takes. Thread-safe.
 */
final class Slices {
  private static final int MOST = 64;
  private static final long SLICE_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long SLICE_BYTES = 4L << 20;
  private static final long RESULT_BYTES = 8L << 20;
  private static final long QUEUED_BYTES = 64L << 20;

  private final IntSupplier atOnce;
  private final ArrayDeque<JobSpec> queue = new ArrayDeque<>();
  private long queuedBytes;
  private double jobsDone;
  private double nanosDone;
  private double bytesDone;
  private boolean ended;
  private @Nullable Throwable problem;

  /**
   * One that has no jobs yet.
   *
   * @param atOnce how many slices can be on their way
   */
  Slices(IntSupplier atOnce) {
    this.atOnce = atOnce;
  }

  /**
   * Puts jobs in until they end, no more are wanted, or this thread is interrupted; what they throw
   * is kept.
   */
  void fill(Iterator<Job> jobs) {
    try {
      boolean wanted = true;
      while (wanted && jobs.hasNext()) {
        wanted = put(JobSpec.of(jobs.next()));
      }
      end(null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      end(null);
    } catch (RuntimeException | Error e) {
      end(e);
    }
  }

  /** Whether any more are wanted. */
  private synchronized boolean put(JobSpec job) throws InterruptedException {
    while (!ended && !queue.isEmpty() && (queue.size() >= ahead() || queuedBytes > QUEUED_BYTES)) {
      wait();
    }
    if (!ended) {
      queue.add(job);
      queuedBytes += job.weight();
      notifyAll();
    }
    return !ended;
  }

  private int ahead() {
    return MOST * Math.max(1, atOnce.getAsInt());
  }

  private synchronized void end(@Nullable Throwable cause) {
    problem = problem == null ? cause : problem;
    ended = true;
    notifyAll();
  }

  /** Throws what is queued away, and takes no more. */
  synchronized void cancel() {
    queue.clear();
    end(null);
  }

  /** Waits for the next; null at the end. */
  synchronized @Nullable ArrayList<JobSpec> next() throws InterruptedException {
    while (queue.isEmpty() && !ended) {
      wait();
    }
    int size = size();
    ArrayList<JobSpec> slice = new ArrayList<>();
    long bytes = 0;
    while (!queue.isEmpty() && slice.size() < size && bytes < SLICE_BYTES) {
      JobSpec job = queue.remove();
      slice.add(job);
      bytes += job.weight();
    }
    queuedBytes -= bytes;
    notifyAll();
    return slice.isEmpty() ? null : slice;
  }

  private int size() {
    long fair = queue.size() / Math.max(1, atOnce.getAsInt());
    double timely = SLICE_NANOS * jobsDone / Math.max(1, nanosDone);
    double small = RESULT_BYTES * jobsDone / Math.max(1, bytesDone);
    if (jobsDone == 0) {
      return 1;
    }
    // A tenth of a second is short enough for the end, and long enough for what a task costs.
    return (int)
        Math.clamp(Math.min(Math.max(fair, timely / 10), Math.min(timely, small)), 1, MOST);
  }

  /** So many jobs took so long together, and their results are so large. */
  synchronized void took(int jobs, long nanos, long bytes) {
    // The older a slice is, the less it says.
    jobsDone = jobsDone / 2 + jobs;
    nanosDone = nanosDone / 2 + nanos;
    bytesDone = bytesDone / 2 + bytes;
  }

  /** What the jobs have thrown; null for nothing. */
  synchronized @Nullable Throwable problem() {
    return problem;
  }
}
