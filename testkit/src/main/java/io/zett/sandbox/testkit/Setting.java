package io.zett.sandbox.testkit;

import io.zett.sandbox.Limit;
import io.zett.sandbox.NetworkMode;
import io.zett.sandbox.SandboxPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A policy that attacks are up against, and how they are run under it. */
public enum Setting {
  /** The workspace, some rules, no network. All attacks in one command. */
  USUAL,
  /** The same, with a file of the host as standard input. */
  INPUT,
  /** The same, in two commands of one session, told apart by {@code $ROUND}. */
  TWICE,
  /** The same, a command for each attack. */
  ALONE,
  /** The network is on. */
  NETWORK,
  /** A time limit of a second. */
  TIMEOUT,
  /** At most 64 MiB of memory. */
  MEMORY(Limit.MEMORY),
  /** At most 16 processes more. */
  PROCESSES(Limit.PROCESSES),
  /** At most one second of processor time. */
  CPU_SECONDS(Limit.CPU_SECONDS),
  /** At most 32 descriptors. */
  OPEN_FILES(Limit.OPEN_FILES),
  /** Files of at most 1 MiB. */
  FILE_SIZE(Limit.FILE_SIZE),
  /** 4 MiB for temporary files. */
  SCRATCH(Limit.SCRATCH_SIZE);

  private final @Nullable Limit limit;

  Setting() {
    this.limit = null;
  }

  Setting(Limit limit) {
    this.limit = limit;
  }

  /** The limit that is attacked, if one is. */
  @Nullable Limit limit() {
    return limit;
  }

  /** Whether each attack ends its command, so that the next needs another. */
  boolean alone() {
    return this == ALONE
        || this == MEMORY
        || this == CPU_SECONDS
        || this == TIMEOUT
        || this == PROCESSES;
  }

  int rounds() {
    return this == TWICE ? 2 : 1;
  }

  SandboxPolicy policy(Scene scene) {
    SandboxPolicy.Builder policy =
        scene.rules(SandboxPolicy.builder()).scratchSize("16MiB").timeout(Duration.ofMinutes(2));
    switch (this) {
      case USUAL, INPUT, TWICE, ALONE -> {}
      case NETWORK -> policy.network(NetworkMode.UNRESTRICTED);
      case TIMEOUT -> policy.timeout(Duration.ofSeconds(1));
      case MEMORY -> policy.memory("64MiB").scratchSize("1GiB");
      case PROCESSES -> policy.processes(16);
      case CPU_SECONDS -> policy.cpuSeconds(1);
      case OPEN_FILES -> policy.openFiles(32);
      case FILE_SIZE -> policy.maxFileSize("1MiB");
      case SCRATCH -> policy.scratchSize("4MiB");
    }
    return policy.build();
  }
}
