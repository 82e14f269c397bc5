package io.zett.sandbox.cli;

import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxUnavailableException;
import io.zett.sandbox.batch.Batch;
import java.io.BufferedInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine.ParseResult;

/** {@code zett batch}: jobs from JSON Lines, results as JSON Lines. */
final class BatchCommand {
  private static final String STANDARD = "-";
  private static final long USUAL_OUTPUT = 1_048_576;

  private final String jobs;
  private final String results;
  private final boolean resume;
  private final BatchEngine.Run work;
  private final long maxOutputBytes;
  private final Streams streams;

  private BatchCommand(
      ParseResult parsed,
      Function<String, Optional<String>> hostVariable,
      BatchEngine engine,
      Streams streams) {
    SandboxPolicy usual = SandboxPolicy.builder().build();
    SandboxPolicy policy =
        PolicyArguments.of(parsed, PolicyOption.ALL, hostVariable, usual).policy();
    List<String> words = parsed.matchedPositionalValue(0, List.of());
    if (words.size() != 1) {
      throw new UsageException(
          words.isEmpty() ? "no jobs are given" : "one file of jobs is wanted, not " + words.size(),
          "example: zett batch jobs.jsonl -o results.jsonl");
    }
    jobs = words.getFirst();
    results = PolicyArguments.last(parsed, "-o").orElse(STANDARD);
    resume = parsed.hasMatchedOption("--resume");
    if (resume && results.equals(STANDARD)) {
      throw new UsageException(
          "--resume needs the results that there are", "example: -o results.jsonl --resume");
    }
    refuseSameFile();
    maxOutputBytes =
        PolicyArguments.last(parsed, "--max-output-bytes")
            .map(RunRequest::outputBytes)
            .orElse(USUAL_OUTPUT);
    this.streams = streams;
    work = work(parsed, policy, engine);
  }

  private BatchEngine.Run work(ParseResult parsed, SandboxPolicy policy, BatchEngine engine) {
    Optional<String> parallel = PolicyArguments.last(parsed, "--parallel");
    Optional<String> master = PolicyArguments.last(parsed, "--master");
    if (master.isEmpty()) {
      int processors = Runtime.getRuntime().availableProcessors();
      return new InProcess(policy, parallel.map(BatchCommand::parallel).orElse(processors));
    }
    if (parallel.isPresent()) {
      throw new UsageException(
          "--parallel: the master says how many run at once",
          "example: --master 'local[" + parallel.get() + "]'");
    }
    if (engine == BatchEngine.NONE) {
      throw new SandboxUnavailableException(
          "--master: Spark is not part of this program", "start it by the script zett");
    }
    return engine.begin(master.get(), policy, streams::say);
  }

  private void refuseSameFile() {
    try {
      if (!jobs.equals(STANDARD)
          && !results.equals(STANDARD)
          && Files.exists(PolicyArguments.path("-o", results))
          && Files.isSameFile(
              PolicyArguments.path("JOBS", jobs), PolicyArguments.path("-o", results))) {
        throw new UsageException("-o: " + results + " is the file of the jobs; name another one");
      }
    } catch (IOException e) {
      // Whichever is missing or closed is told when it is opened.
    }
  }

  private static int parallel(String text) {
    try {
      int parallel = Numbers.small(text);
      new Batch(SandboxPolicy.builder().build(), parallel);
      return parallel;
    } catch (IllegalArgumentException e) {
      throw new UsageException("--parallel: " + e.getMessage());
    }
  }

  /** Runs it; the exit status. */
  static int run(
      ParseResult parsed,
      Function<String, Optional<String>> hostVariable,
      BatchEngine engine,
      Streams streams) {
    Signals signals = Signals.install();
    try (signals) {
      return new BatchCommand(parsed, hostVariable, engine, streams).run(signals);
    } catch (UncheckedIOException e) {
      streams.say(String.valueOf(e.getMessage()));
      return signals.exitStatus().orElse(ExitStatus.NOT_RUN);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      Failure failure = Failure.of(e);
      failure.tell(streams);
      return signals.exitStatus().orElse(failure.kind().exitStatus());
    }
  }

  private int run(Signals signals) throws IOException {
    Thread waiting = Thread.currentThread();
    signals.whenReceived(_ -> waiting.interrupt());
    Optional<Set<String>> ids = canBeReadTwice() ? Optional.of(check()) : Optional.empty();
    if (signals.exitStatus().isPresent()) {
      return signals.exitStatus().getAsInt();
    }
    try (work;
        JobResults out =
            results.equals(STANDARD)
                ? JobResults.into(streams.out())
                : JobResults.into(PolicyArguments.path("-o", results), resume);
        InputStream in = open()) {
      JobLines lines = new JobLines(name(), in, maxOutputBytes, out.done());
      OptionalLong left =
          ids.isEmpty()
              ? OptionalLong.empty()
              : OptionalLong.of(ids.get().stream().filter(id -> !out.done().contains(id)).count());
      BatchProgress progress = new BatchProgress(streams, left, BatchProgress.isTerminal());
      signals.whenReceived(_ -> work.cancel());
      try {
        work.run(
            lines,
            (result, host) -> {
              try {
                out.write(result, host);
              } catch (IOException e) {
                throw new UncheckedIOException("the results: " + e.getMessage(), e);
              }
              progress.ended();
            });
      } finally {
        progress.end();
      }
    }
    return signals.exitStatus().orElse(ExitStatus.OK);
  }

  /** What comes through a pipe is gone when it has been read. */
  private boolean canBeReadTwice() {
    if (jobs.equals(STANDARD)) {
      return false;
    }
    Path file = PolicyArguments.path("JOBS", jobs);
    return Files.isRegularFile(file) || !Files.exists(file); // One that is missing is told there.
  }

  /** Reads all of a file's lines before the first job runs; the ids of the jobs. */
  private Set<String> check() throws IOException {
    try (InputStream in = open()) {
      JobLines lines = new JobLines(name(), in, maxOutputBytes, Set.of());
      while (lines.hasNext()) {
        lines.next();
      }
      return lines.ids();
    }
  }

  private String name() {
    return jobs.equals(STANDARD) ? "standard input" : jobs;
  }

  private InputStream open() throws IOException {
    if (jobs.equals(STANDARD)) {
      return new BufferedInputStream(new FileInputStream(FileDescriptor.in));
    }
    Path file = PolicyArguments.path("JOBS", jobs);
    if (!Files.isReadable(file)) {
      throw new UsageException(jobs + ": no such file, or it cannot be read");
    }
    return new BufferedInputStream(Files.newInputStream(file));
  }
}
