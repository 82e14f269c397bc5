package io.zett.sandbox.spark;

import io.zett.sandbox.HomeMode;
import io.zett.sandbox.MemoryStrategy;
import io.zett.sandbox.NetworkMode;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxPolicy;
import java.io.Serial;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A {@link SandboxPolicy} on its way to the executors: every option, in types that travel. Paths
 * are those of the driver's machine, and mean the same ones on each executor's. Immutable.
 */
public final class PolicySpec implements Serializable {
  @Serial private static final long serialVersionUID = 1;

  private final @Nullable Long memory;
  private final @Nullable Double cpus;
  private final @Nullable Long cpuSeconds;
  private final @Nullable Integer processes;
  private final @Nullable Long maxFileSize;
  private final @Nullable Integer openFiles;
  private final @Nullable Long scratchSize;
  private final NetworkMode network;
  private final boolean blockUnixSockets;
  private final boolean protectDeveloperFiles;
  private final ArrayList<String> writable;
  private final ArrayList<String> denyWrite;
  private final ArrayList<String> denyRead;
  private final ArrayList<String> allowRead;
  private final TreeMap<String, String> env;
  private final HomeMode home;
  private final @Nullable String timeout;
  private final SandboxBackend backend;
  private final boolean requireIsolation;
  private final MemoryStrategy memoryStrategy;
  private final int maxConcurrent;
  private final int warm;

  private PolicySpec(SandboxPolicy policy) {
    memory = boxed(policy.memory());
    cpus = boxed(policy.cpus());
    cpuSeconds = boxed(policy.cpuSeconds());
    processes = boxed(policy.processes());
    maxFileSize = boxed(policy.maxFileSize());
    openFiles = boxed(policy.openFiles());
    scratchSize = boxed(policy.scratchSize());
    network = policy.network();
    blockUnixSockets = policy.blocksUnixSockets();
    protectDeveloperFiles = policy.protectsDeveloperFiles();
    writable = texts(policy.writable());
    denyWrite = texts(policy.denyWrite());
    denyRead = texts(policy.denyRead());
    allowRead = texts(policy.allowRead());
    env = new TreeMap<>(policy.env());
    home = policy.home();
    timeout = policy.timeout().map(Duration::toString).orElse(null);
    backend = policy.backend();
    requireIsolation = policy.requireIsolation();
    memoryStrategy = policy.memoryStrategy();
    maxConcurrent = policy.maxConcurrent();
    warm = policy.warm();
  }

  /** All that a policy says. */
  public static PolicySpec of(SandboxPolicy policy) {
    return new PolicySpec(policy);
  }

  /** The policy, equal to the one that this was made of. */
  public SandboxPolicy policy() {
    SandboxPolicy.Builder builder = SandboxPolicy.builder();
    limits(builder);
    builder.network(network).blockUnixSockets(blockUnixSockets);
    if (protectDeveloperFiles) {
      builder.protectDeveloperFiles();
    }
    builder.writable(paths(writable)).denyWrite(paths(denyWrite));
    builder.denyRead(paths(denyRead)).allowRead(paths(allowRead));
    builder.env(env).home(home);
    if (timeout == null) {
      builder.noTimeout();
    } else {
      builder.timeout(Duration.parse(timeout));
    }
    return builder
        .backend(backend)
        .requireIsolation(requireIsolation)
        .memoryStrategy(memoryStrategy)
        .maxConcurrent(maxConcurrent)
        .warm(warm)
        .build();
  }

  private void limits(SandboxPolicy.Builder builder) {
    if (memory != null) {
      builder.memory(memory);
    }
    if (cpus != null) {
      builder.cpus(cpus);
    }
    if (cpuSeconds != null) {
      builder.cpuSeconds(cpuSeconds);
    }
    if (processes != null) {
      builder.processes(processes);
    }
    if (maxFileSize != null) {
      builder.maxFileSize(maxFileSize);
    }
    if (openFiles != null) {
      builder.openFiles(openFiles);
    }
    if (scratchSize != null) {
      builder.scratchSize(scratchSize);
    }
  }

  private static @Nullable Long boxed(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : null;
  }

  private static @Nullable Integer boxed(OptionalInt value) {
    return value.isPresent() ? value.getAsInt() : null;
  }

  private static @Nullable Double boxed(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : null;
  }

  private static ArrayList<String> texts(List<Path> paths) {
    return new ArrayList<>(paths.stream().map(Path::toString).toList());
  }

  private static List<Path> paths(List<String> texts) {
    return texts.stream().map(Path::of).toList();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PolicySpec spec && policy().equals(spec.policy());
  }

  @Override
  public int hashCode() {
    return policy().hashCode();
  }

  /** As that of the policy: of variables the names alone. */
  @Override
  public String toString() {
    return policy().toString();
  }
}
