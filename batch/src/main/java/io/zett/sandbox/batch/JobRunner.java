package io.zett.sandbox.batch;

import io.zett.sandbox.SandboxCanceledException;
import io.zett.sandbox.SandboxClosedException;
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
   * @throws SandboxCanceledException if this thread is interrupted meanwhile or this JVM ends, and
   *     only then
   */
  public JobResult run(Job job) {
    try (SandboxSession session = SandboxSession.builder(limited(job)).open()) {
      for (Map.Entry<String, byte[]> file : job.contents().entrySet()) {
        session.files().write(file.getKey(), file.getValue());
      }
      SandboxResult result = ran(session, job);
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
    } catch (SandboxClosedException e) {
      throw new SandboxCanceledException("this JVM ends", null); // Nobody else closes it.
    } catch (SandboxException | IllegalArgumentException | IOException e) {
      return JobResult.failed(job.id(), e);
    }
  }

  /**
   * A command that the sandbox ended, since what it hides was moved away, has its result like every
   * other: only this thread's interruption and the end of the JVM, which closes the session, are
   * none of the job's.
   */
  private static SandboxResult ran(SandboxSession session, Job job) {
    try {
      return session.run(job.command());
    } catch (SandboxCanceledException e) {
      if (Thread.currentThread().isInterrupted() || !session.isOpen() || e.result().isEmpty()) {
        throw e;
      }
      return e.result().get();
    }
  }

  private SandboxPolicy limited(Job job) {
    // Each session runs one command: sandboxes started ahead would be for nobody.
    SandboxPolicy.Builder limited = policy.toBuilder().warm(0);
    job.memory().ifPresent(limited::memory);
    job.cpuSeconds().ifPresent(limited::cpuSeconds);
    return limited.build();
  }
}
