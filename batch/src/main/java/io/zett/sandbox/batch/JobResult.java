package io.zett.sandbox.batch;

import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxResult;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a job came to. Every job has one: either its command has run, or {@link #failure()} says why
 * it did not. Immutable.
 */
public final class JobResult {
  private final String id;
  private final @Nullable SandboxResult result;
  private final @Nullable SandboxBackend backend;
  private final @Nullable Exception failure;
  private final Map<String, byte[]> files;
  private final Map<String, String> fileErrors;

  private JobResult(
      String id,
      @Nullable SandboxResult result,
      @Nullable SandboxBackend backend,
      @Nullable Exception failure,
      Map<String, byte[]> files,
      Map<String, String> fileErrors) {
    this.id = id;
    this.result = result;
    this.backend = backend;
    this.failure = failure;
    this.files = Collections.unmodifiableMap(new LinkedHashMap<>(files));
    this.fileErrors = Collections.unmodifiableMap(new LinkedHashMap<>(fileErrors));
  }

  /**
   * Of a job whose command has run, for whoever carries results from one JVM to another.
   *
   * @param files those that were wanted and are there; the arrays are not copied
   * @param fileErrors those that could not be had, each with the reason
   */
  public static JobResult ran(
      String id,
      SandboxResult result,
      SandboxBackend backend,
      Map<String, byte[]> files,
      Map<String, String> fileErrors) {
    return new JobResult(id, result, backend, null, files, fileErrors);
  }

  /** Of a job that could not be run, for whoever carries results from one JVM to another. */
  public static JobResult failed(String id, Exception failure) {
    return new JobResult(id, null, null, failure, Map.of(), Map.of());
  }

  /** The job's id. */
  public String id() {
    return id;
  }

  /** How its command ended; empty when it could not be run. */
  public Optional<SandboxResult> result() {
    return Optional.ofNullable(result);
  }

  /** What ran it; empty when it could not be run. */
  public Optional<SandboxBackend> backend() {
    return Optional.ofNullable(backend);
  }

  /** Why it could not be run: an exception of the library's, or one about its files. */
  public Optional<Exception> failure() {
    return Optional.ofNullable(failure);
  }

  /** The files that were wanted and are there; the arrays are the caller's. */
  public Map<String, byte[]> files() {
    return files;
  }

  /** Those that could not be had, each with the reason. */
  public Map<String, String> fileErrors() {
    return fileErrors;
  }

  /** The id, and the outcome. */
  @Override
  public String toString() {
    Object how = result == null ? failure : result.outcome();
    return "JobResult[" + id + ", " + how + "]";
  }
}
