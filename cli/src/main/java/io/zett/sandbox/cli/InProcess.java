package io.zett.sandbox.cli;

import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.batch.Batch;
import io.zett.sandbox.batch.Job;
import io.zett.sandbox.batch.JobResult;
import java.util.Iterator;
import java.util.function.BiConsumer;

/** A batch in this process. */
final class InProcess implements BatchEngine.Run {
  private final SandboxPolicy policy;
  private final Batch batch;

  InProcess(SandboxPolicy policy, int parallel) {
    this.policy = policy;
    batch = new Batch(policy, parallel);
  }

  @Override
  public boolean run(Iterator<Job> jobs, BiConsumer<JobResult, String> results) {
    // A machine that can run nothing is told once, not for every job.
    PolicyArguments.session(policy, null).open().close();
    return batch.run(jobs, result -> results.accept(result, ""));
  }

  @Override
  public void cancel() {
    batch.cancel();
  }

  @Override
  public void close() {
    // Nothing is left when the last job has ended.
  }
}
