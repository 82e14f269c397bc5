package io.zett.sandbox.springai;

import io.zett.sandbox.HomeMode;
import io.zett.sandbox.MemoryStrategy;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.tools.ToolName;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/**
 * What commands of the application's sandbox may do and use, and how its tools behave. An unknown
 * property below {@code zett.sandbox} is an error, except in environment variables and system
 * properties, which are shared: a rule that is misspelled must not be lost.
 *
 * @param enabled Whether there is a sandbox and its tools.
 * @param workspace Existing directory that commands may write and start in, never deleted; unless
 *     set a private one that is deleted at the end.
 * @param memory Memory that a command and everything it starts may use together, such as 512MB; no
 *     limit unless set.
 * @param cpus Share of processors, in cores; no limit unless set.
 * @param cpuSeconds Total processor time of a command, in seconds; no limit unless set.
 * @param processes Processes that a command may add, 8 or more; no limit unless set.
 * @param maxFileSize Largest file that a command may create, such as 10MB; no limit unless set.
 * @param openFiles Files that a process may hold open, 16 or more; no limit unless set.
 * @param scratchSize Bound of /tmp, /var/tmp and /dev/shm, of each; the memory limit or 1GiB unless
 *     set.
 * @param network Whether commands may use the network.
 * @param blockUnixSockets Whether Unix sockets of the host that appear later are out of reach, too.
 * @param protectDeveloperFiles Whether what the host executes by itself (git's hooks, editor tasks,
 *     start-up files) cannot be written in the workspace.
 * @param writable Further directories that commands may write; they must exist.
 * @param denyWrite Paths that stay unwritable even inside a writable directory.
 * @param denyRead Paths that can be neither read nor written, besides the known credentials.
 * @param allowRead Paths of the list of credentials that can be read.
 * @param env Environment variables for every command.
 * @param home Whether commands see the home directory, without its credentials, or an empty one.
 * @param timeout Wall time of each command; a number without a unit is seconds; 60s unless set.
 * @param backend What builds the sandbox.
 * @param requireIsolation Whether to fail where nothing can be isolated.
 * @param memoryStrategy How the memory limit is kept.
 * @param maxConcurrent Commands that run at once, 256 unless set; more wait.
 * @param warm Sandboxes started ahead, each for one command; none unless set.
 * @param tools How the tools behave.
 */
@ConfigurationProperties(prefix = "zett.sandbox", ignoreUnknownFields = false)
public record SandboxProperties(
    @DefaultValue("true") boolean enabled,
    @Nullable String workspace,
    @Nullable String memory,
    @Nullable Double cpus,
    @Nullable Long cpuSeconds,
    @Nullable Integer processes,
    @Nullable String maxFileSize,
    @Nullable Integer openFiles,
    @Nullable String scratchSize,
    @DefaultValue("false") boolean network,
    @DefaultValue("false") boolean blockUnixSockets,
    @DefaultValue("false") boolean protectDeveloperFiles,
    @DefaultValue List<String> writable,
    @DefaultValue List<String> denyWrite,
    @DefaultValue List<String> denyRead,
    @DefaultValue List<String> allowRead,
    @DefaultValue Map<String, String> env,
    @DefaultValue("host") HomeMode home,
    @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration timeout,
    @DefaultValue("auto") SandboxBackend backend,
    @DefaultValue("false") boolean requireIsolation,
    @DefaultValue("auto") MemoryStrategy memoryStrategy,
    @Nullable Integer maxConcurrent,
    @Nullable Integer warm,
    @DefaultValue Tools tools) {

  /** Copies the lists. */
  public SandboxProperties {
    writable = List.copyOf(writable);
    denyWrite = List.copyOf(denyWrite);
    denyRead = List.copyOf(denyRead);
    allowRead = List.copyOf(allowRead);
    env = Map.copyOf(env);
  }

  /**
   * How the tools behave.
   *
   * @param include Names of the tools that models are given; all unless set.
   * @param tailCharacters How much of the end of each stream a report has, and how much of a file;
   *     30000 unless set.
   * @param keptBytes How many of the last bytes of each stream of a command are kept; 1048576
   *     unless set.
   * @param keptCommands How many ended commands can still be read; 16 unless set.
   * @param maxBackground How many commands can be in the background at once; 8 unless set.
   * @param defaultTimeout Time of a command that a model gives none; a number without a unit is
   *     seconds; that of the sandbox unless set.
   * @param maxTimeout Longest time that a model can ask for; a number without a unit is seconds;
   *     10m unless set.
   */
  public record Tools(
      @DefaultValue List<ToolName> include,
      @Nullable Integer tailCharacters,
      @Nullable Integer keptBytes,
      @Nullable Integer keptCommands,
      @Nullable Integer maxBackground,
      @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration defaultTimeout,
      @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration maxTimeout) {

    /** Copies the list. */
    public Tools {
      include = List.copyOf(include);
    }
  }

  /** Without the values of variables. */
  @Override
  public String toString() {
    return "SandboxProperties[workspace=" + workspace + ", env=" + env.keySet() + "]";
  }
}
