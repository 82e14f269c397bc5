package io.zett.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What commands may do and use. An immutable value: equal to every policy that says the same, in
 * whatever order it was said. The options are explained at {@link PolicyOptions}.
 */
public final class SandboxPolicy {
  static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);
  static final int DEFAULT_MAX_CONCURRENT = 256;

  static final int MOST_WARM = 1000;

  private final OptionalLong memory;
  private final OptionalDouble cpus;
  private final OptionalLong cpuSeconds;
  private final OptionalInt processes;
  private final OptionalLong maxFileSize;
  private final OptionalInt openFiles;
  private final NetworkMode network;
  private final boolean blockUnixSockets;
  private final boolean protectDeveloperFiles;
  private final List<Path> writable;
  private final List<Path> denyWrite;
  private final List<Path> denyRead;
  private final List<Path> allowRead;
  private final Map<String, String> env;
  private final HomeMode home;
  private final OptionalLong scratchSize;
  private final Optional<Duration> timeout;
  private final SandboxBackend backend;
  private final boolean requireIsolation;
  private final MemoryStrategy memoryStrategy;
  private final int maxConcurrent;
  private final int warm;

  SandboxPolicy(PolicyOptions<?> options) {
    memory = options.memory;
    cpus = options.cpus;
    cpuSeconds = options.cpuSeconds;
    processes = options.processes;
    maxFileSize = options.maxFileSize;
    openFiles = options.openFiles;
    network = options.network;
    blockUnixSockets = options.blockUnixSockets;
    protectDeveloperFiles = options.protectDeveloperFiles;
    writable = List.copyOf(options.writable);
    denyWrite = List.copyOf(options.denyWrite);
    denyRead = List.copyOf(options.denyRead);
    allowRead = List.copyOf(options.allowRead);
    env = Collections.unmodifiableMap(new TreeMap<>(options.env));
    home = options.home;
    scratchSize = options.scratchSize;
    timeout = options.timeout;
    backend = options.backend;
    requireIsolation = options.requireIsolation;
    memoryStrategy = options.memoryStrategy;
    maxConcurrent = options.maxConcurrent;
    warm = options.warm;
  }

  /** A builder that has the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** A builder that begins with what this policy says. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.copy(this);
    return builder;
  }

  /** Bytes of memory that a command and all it starts may use; empty for no limit. */
  public OptionalLong memory() {
    return memory;
  }

  /** Share of processors, in cores; empty for no limit. */
  public OptionalDouble cpus() {
    return cpus;
  }

  /** Seconds of processor time of a command's whole tree; empty for no limit. */
  public OptionalLong cpuSeconds() {
    return cpuSeconds;
  }

  /** Processes that a command may add; empty for no limit. */
  public OptionalInt processes() {
    return processes;
  }

  /** Bytes of the largest file that a process may create; empty for no limit. */
  public OptionalLong maxFileSize() {
    return maxFileSize;
  }

  /** Descriptors that a process may hold open; empty for the caller's limit. */
  public OptionalInt openFiles() {
    return openFiles;
  }

  /** What network commands have. */
  public NetworkMode network() {
    return network;
  }

  /** Whether commands are refused Unix sockets altogether. */
  public boolean blocksUnixSockets() {
    return blockUnixSockets;
  }

  /** Whether files that the host executes or obeys by itself are protected in writable places. */
  public boolean protectsDeveloperFiles() {
    return protectDeveloperFiles;
  }

  /** Directories besides the workspace that commands may write; absolute, sorted, each once. */
  public List<Path> writable() {
    return writable;
  }

  /** Paths that cannot be written; absolute, sorted, each once. */
  public List<Path> denyWrite() {
    return denyWrite;
  }

  /**
   * Paths that can be neither read nor written, the built-in list of credentials not included;
   * absolute, sorted, each once.
   */
  public List<Path> denyRead() {
    return denyRead;
  }

  /** Paths given back from the list of credentials; absolute, sorted, each once. */
  public List<Path> allowRead() {
    return allowRead;
  }

  /** Variables for every command, those of the host not included; sorted by name. */
  public Map<String, String> env() {
    return env;
  }

  /** What commands see as the home directory. */
  public HomeMode home() {
    return home;
  }

  /**
   * Bytes that {@code /tmp}, {@code /var/tmp}, {@code /dev/shm} and a private home can hold, each;
   * empty for the default, which is the memory limit, or 1 GiB without one.
   */
  public OptionalLong scratchSize() {
    return scratchSize;
  }

  /** Wall time of each command that brings no limit of its own; empty for no limit. */
  public Optional<Duration> timeout() {
    return timeout;
  }

  /** What builds the sandbox. */
  public SandboxBackend backend() {
    return backend;
  }

  /** Whether running without isolation is refused. */
  public boolean requireIsolation() {
    return requireIsolation;
  }

  /** How the memory limit is enforced. */
  public MemoryStrategy memoryStrategy() {
    return memoryStrategy;
  }

  /** How many commands run at once. */
  public int maxConcurrent() {
    return maxConcurrent;
  }

  /** How many sandboxes are kept started ahead. */
  public int warm() {
    return warm;
  }

  private List<Object> content() {
    return List.of(
        memory,
        cpus,
        cpuSeconds,
        processes,
        maxFileSize,
        openFiles,
        network,
        blockUnixSockets,
        protectDeveloperFiles,
        writable,
        denyWrite,
        denyRead,
        allowRead,
        env,
        home,
        scratchSize,
        timeout,
        backend,
        requireIsolation,
        memoryStrategy,
        maxConcurrent,
        warm);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SandboxPolicy policy && content().equals(policy.content());
  }

  @Override
  public int hashCode() {
    return content().hashCode();
  }

  /** What differs from the defaults; of variables the names alone. */
  @Override
  public String toString() {
    return PolicyText.of(this);
  }

  /** Builds policies; see {@link PolicyOptions}. Not thread-safe. */
  public static final class Builder extends PolicyOptions<Builder> {
    Builder() {}

    @Override
    Builder self() {
      return this;
    }

    /** The policy; the builder can be used again. */
    public SandboxPolicy build() {
      return new SandboxPolicy(this);
    }
  }
}
