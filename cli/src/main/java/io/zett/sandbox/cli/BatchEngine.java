package io.zett.sandbox.cli;

import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.batch.Job;
import io.zett.sandbox.batch.JobResult;
import java.util.Iterator;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** What {@code zett batch --master} hands its jobs to. */
@FunctionalInterface
public interface BatchEngine {
  /** Of a command that was started without one. */
  BatchEngine NONE =
      (_, _, _) -> {
        throw new IllegalStateException("there is no engine");
      };

  /**
   * A batch that has not begun.
   *
   * @param master where it is to run
   * @param say takes words for people
   * @throws IllegalArgumentException if the master cannot be used; the text names the option
   */
  Run begin(String master, SandboxPolicy policy, Consumer<String> say);

  /** One batch. */
  interface Run extends AutoCloseable {
    /**
     * Runs all jobs, and returns when the last has ended, as {@link
     * io.zett.sandbox.batch.Batch#run} does.
     *
     * @param results also takes the host where the job ran, which is empty if none is to be told
     * @return whether every job has had its result
     * @throws io.zett.sandbox.SandboxException if no job can be run at all
     */
    boolean run(Iterator<Job> jobs, BiConsumer<JobResult, String> results);

    /** Ends the jobs that run, and begins no further one. Returns soon; twice is harmless. */
    void cancel();

    @Override
    void close();
  }
}
