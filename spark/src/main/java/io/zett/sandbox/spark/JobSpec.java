package io.zett.sandbox.spark;

import io.zett.sandbox.CommandInput;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.batch.Job;
import java.io.Serial;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.spark.sql.Encoder;
import org.apache.spark.sql.Encoders;
import org.jspecify.annotations.Nullable;

/** A {@link Job} on its way to an executor, with all that it says. Immutable. */
public final class JobSpec implements Serializable {
  @Serial private static final long serialVersionUID = 1;

  private final String id;
  private final @Nullable String shellText;
  private final ArrayList<String> arguments;
  private final @Nullable String cwd;
  private final TreeMap<String, String> env;
  private final @Nullable String inputText;
  private final byte @Nullable [] inputBytes;
  private final @Nullable String timeout;
  private final boolean timeoutDisabled;
  private final long maxOutputBytes;
  private final boolean mergesStderr;
  private final int @Nullable [] terminal;
  private final LinkedHashMap<String, byte[]> files = new LinkedHashMap<>();
  private final @Nullable Long memory;
  private final @Nullable Long cpuSeconds;
  private final ArrayList<String> collected;

  private JobSpec(Job job) {
    SandboxCommand command = job.command();
    id = job.id();
    shellText = command.shellText().orElse(null);
    arguments = new ArrayList<>(command.arguments());
    cwd = command.cwd().map(Path::toString).orElse(null);
    env = new TreeMap<>(command.env());
    CommandInput input = command.input().orElse(null);
    inputText = input instanceof CommandInput.Text(String text) ? text : null;
    inputBytes = input instanceof CommandInput.Bytes bytes ? bytes.toBytes() : null;
    if (input != null && inputText == null && inputBytes == null) {
      throw new IllegalArgumentException(
          "job " + id + ": its input is a file or a stream of this machine; give a text or bytes");
    }
    timeout = command.timeout().map(Duration::toString).orElse(null);
    timeoutDisabled = command.timeoutDisabled();
    maxOutputBytes = command.maxOutputBytes();
    mergesStderr = command.mergesStderr();
    terminal = command.terminal().map(size -> new int[] {size.rows(), size.columns()}).orElse(null);
    job.files().forEach(path -> files.put(path, job.content(path)));
    memory = boxed(job.memory());
    cpuSeconds = boxed(job.cpuSeconds());
    collected = new ArrayList<>(job.collected());
  }

  /**
   * All that a job says.
   *
   * @throws IllegalArgumentException if its input is a file or a stream of this machine
   */
  public static JobSpec of(Job job) {
    return new JobSpec(job);
  }

  /** For a {@code Dataset} of jobs. */
  public static Encoder<JobSpec> encoder() {
    return Encoders.javaSerialization(JobSpec.class);
  }

  private static @Nullable Long boxed(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : null;
  }

  /** What tells it from the others. */
  public String id() {
    return id;
  }

  /** The job that this was made of. */
  public Job job() {
    Job job = Job.of(id, command());
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      job = job.file(file.getKey(), file.getValue());
    }
    job = memory == null ? job : job.memory(memory);
    job = cpuSeconds == null ? job : job.cpuSeconds(cpuSeconds);
    for (String path : collected) {
      job = job.collect(path);
    }
    return job;
  }

  private SandboxCommand command() {
    SandboxCommand command =
        shellText == null ? SandboxCommand.of(arguments) : SandboxCommand.shell(shellText);
    command = command.env(env).maxOutputBytes(maxOutputBytes);
    command = cwd == null ? command : command.cwd(Path.of(cwd));
    command = inputText == null ? command : command.input(inputText);
    command = inputBytes == null ? command : command.input(inputBytes);
    command = timeout == null ? command : command.timeout(Duration.parse(timeout));
    command = timeoutDisabled ? command.noTimeout() : command;
    command = mergesStderr ? command.mergeStderr() : command;
    return terminal == null ? command : command.terminal(terminal[0], terminal[1]);
  }

  /** About how many bytes it has to travel with. */
  long weight() {
    long weight = inputBytes == null ? 0 : inputBytes.length;
    weight += inputText == null ? 0 : inputText.length();
    for (String argument : arguments) {
      weight += argument.length();
    }
    for (byte[] content : files.values()) {
      weight += content.length;
    }
    return weight;
  }

  /** Its id, and its command without values. */
  @Override
  public String toString() {
    return "JobSpec[" + id + ", " + command() + "]";
  }
}
