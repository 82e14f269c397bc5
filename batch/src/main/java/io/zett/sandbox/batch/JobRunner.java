package io.zett.sandbox.batch;

import io.zett.sandbox.SandboxCanceledException;
import io.zett.sandbox.SandboxException;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.SandboxSession;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Runs one job: a session of its own, with a private workspace that holds the job's files and is
 * gone afterwards. Whatever the job does comes back as its result. Thread-safe.
 */
public final class JobRunner {
  /** Most bytes of one collected file: 16 MiB. */
  public static final int MOST_COLLECTED = 16_777_216;

  private final SandboxPolicy policy;

  /**
   * A runner of jobs under one policy.
   *
   * @param policy its limits are those of a job that has none of its own
   */
  public JobRunner(SandboxPolicy policy) {
    this.policy = policy;
  }

  /**
   * Runs a job to its end.
   *
   * @throws SandboxCanceledException if this thread is interrupted meanwhile, and only then
   */
  public JobResult run(Job job) {
    try (SandboxSession session = SandboxSession.builder(limited(job)).open()) {
      for (Map.Entry<String, byte[]> file : job.contents().entrySet()) {
        session.files().write(file.getKey(), file.getValue());
      }
      SandboxResult result = session.run(job.command());
      Map<String, byte[]> files = new LinkedHashMap<>();
      Map<String, String> errors = new LinkedHashMap<>();
      for (String path : job.collected()) {
        try {
          files.put(path, session.files().readBytes(path, MOST_COLLECTED));
        } catch (IOException e) {
          errors.put(path, String.valueOf(e.getMessage()));
        }
      }
      return JobResult.ran(job.id(), result, session.capabilities().backend(), files, errors);
    } catch (SandboxCanceledException e) {
      throw e;
    } catch (SandboxException | IllegalArgumentException | IOException e) {
      return JobResult.failed(job.id(), e);
    }
  }

  private SandboxPolicy limited(Job job) {
    SandboxPolicy.Builder limited = policy.toBuilder();
    job.memory().ifPresent(limited::memory);
    job.cpuSeconds().ifPresent(limited::cpuSeconds);
    return limited.build();
  }
}
