package io.zett.sandbox.spark;

import io.zett.sandbox.batch.JobResult;
import java.io.Serial;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a job came to, and where it ran. Immutable. */
public final class ProgramResult implements Serializable {
  @Serial private static final long serialVersionUID = 1;

  private final String id;
  private final String host;
  private final long nanos;
  private final @Nullable RunSpec run;
  private final @Nullable FailureSpec failure;
  private final LinkedHashMap<String, byte[]> files;
  private final LinkedHashMap<String, String> fileErrors;

  private ProgramResult(
      String id,
      String host,
      long nanos,
      @Nullable RunSpec run,
      @Nullable FailureSpec failure,
      LinkedHashMap<String, byte[]> files,
      LinkedHashMap<String, String> fileErrors) {
    this.id = id;
    this.host = host;
    this.nanos = nanos;
    this.run = run;
    this.failure = failure;
    this.files = files;
    this.fileErrors = fileErrors;
  }

  static ProgramResult of(JobResult result, String host, long nanos) {
    RunSpec run =
        result.result().isPresent() && result.backend().isPresent()
            ? new RunSpec(result.result().get(), result.backend().get())
            : null;
    return new ProgramResult(
        result.id(),
        host,
        nanos,
        run,
        result.failure().map(FailureSpec::new).orElse(null),
        new LinkedHashMap<>(result.files()),
        new LinkedHashMap<>(result.fileErrors()));
  }

  static ProgramResult failed(String id, String host, Throwable failure, long nanos) {
    return new ProgramResult(
        id,
        host,
        nanos,
        null,
        new FailureSpec(failure),
        new LinkedHashMap<>(),
        new LinkedHashMap<>());
  }

  /** The job's id. */
  public String id() {
    return id;
  }

  /** The executor's host as Spark calls it. */
  public String host() {
    return host;
  }

  /**
   * The result as module {@code batch} has it. Its command is the program's name alone: arguments,
   * input and variables did not travel back.
   */
  public JobResult jobResult() {
    return run == null
        ? JobResult.failed(id, Objects.requireNonNull(failure).exception())
        : JobResult.ran(id, run.result(), run.backend(), files, fileErrors);
  }

  /** How long an executor was busy with it. */
  long nanos() {
    return nanos;
  }

  /** About how many bytes it has to travel with. */
  long weight() {
    long weight = run == null ? 0 : run.weight();
    for (byte[] content : files.values()) {
      weight += content.length;
    }
    return weight;
  }

  /** The id, the host and the outcome. */
  @Override
  public String toString() {
    return "ProgramResult[" + host + ", " + jobResult() + "]";
  }
}
