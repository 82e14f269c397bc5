package io.zett.sandbox.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.zett.sandbox.Enforcement;
import io.zett.sandbox.HomeMode;
import io.zett.sandbox.Limit;
import io.zett.sandbox.PathExplanation;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.portable.PosixTools;
import io.zett.sandbox.portable.ShellStart;
import io.zett.sandbox.portable.StartPlan;
import io.zett.sandbox.rules.EnvironmentRules;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.regex.Pattern;

/**
 * Programs of a Unix as they are, behind a shell that sets the limits of each process: nothing is
 * isolated.
 */
final class UnixStarts implements Starts {
  private static final String HOME = "HOME";

  /** What perl and a shell, Bash by another name, do by their variables (perlrun(1), bash(1)). */
  private static final Pattern OBEYED =
      Pattern.compile("PERL5?(LIB|OPT|DB).*|BASH_FUNC_.*|BASH_ENV|BASHOPTS|SHELLOPTS|PS4");

  private final SandboxPolicy policy;
  private final Map<String, String> host;
  private final Map<String, String> provided;
  private final PosixTools tools;
  private final ShellStart limits;

  UnixStarts(
      SandboxPolicy policy, Map<String, String> host, PortableSession session, PosixTools tools) {
    this.policy = policy;
    this.host = host;
    this.tools = tools;
    Path scratch = session.scratch();
    Optional<String> cache =
        policy.home() == HomeMode.HOST
            ? Optional.of(scratch.resolve(".cache").toString())
            : Optional.empty();
    provided = new HashMap<>(EnvironmentRules.provided(scratch.toString(), cache));
    String user = System.getProperty("user.name", "");
    provided.putAll(Map.of(HOME, session.home().toString(), "USER", user, "LOGNAME", user));
    limits = limits(policy, scratch);
  }

  private static ShellStart limits(SandboxPolicy policy, Path scratch) {
    OptionalLong blocks = OptionalLong.empty();
    if (policy.maxFileSize().isPresent()) {
      try {
        long block = ShellStart.blockBytes(scratch);
        blocks = OptionalLong.of(Math.ceilDiv(policy.maxFileSize().getAsLong(), block));
      } catch (IOException e) {
        throw new SandboxSetupException(
            "finding out how the shell counts the size of files", null, String.valueOf(e), e);
      }
    }
    OptionalLong cpu = policy.cpuSeconds();
    return new ShellStart(
        cpu.isPresent() ? OptionalLong.of(cpu.getAsLong() + 1) : cpu, // The watchdog comes first.
        blocks,
        policy.openFiles().isPresent()
            ? OptionalLong.of(policy.openFiles().getAsInt())
            : OptionalLong.empty());
  }

  PosixTools tools() {
    return tools;
  }

  @Override
  public SandboxBackend kind() {
    return SandboxBackend.PASSTHROUGH;
  }

  @Override
  public boolean isolated() {
    return false;
  }

  @Override
  public Map<Limit, Enforcement> enforcements() {
    return PortableLimits.unix(countsMemory());
  }

  @Override
  public boolean bounds(Limit limit) {
    return switch (limit) {
      case CPU_SECONDS -> limits.cpuSeconds().isPresent();
      case FILE_SIZE -> limits.fileBlocks().isPresent();
      case OPEN_FILES -> limits.openFiles().isPresent();
      case MEMORY, CPUS, PROCESSES, SCRATCH_SIZE -> false;
    };
  }

  @Override
  public boolean countsMemory() {
    return tools.table() != null;
  }

  @Override
  public SortedMap<String, String> environment(Map<String, String> ofCommand) {
    return EnvironmentRules.compose(host, provided, policy.env(), ofCommand);
  }

  @Override
  public void check(SandboxCommand command, Path directory) {
    SortedMap<String, String> environment = environment(command.env());
    for (String name : environment.keySet()) {
      if (OBEYED.matcher(name).matches()) {
        throw new IllegalArgumentException(
            "environment: "
                + name
                + " would be obeyed by what starts the command, before it is confined and limited;"
                + " set it in the command itself: env "
                + name
                + "=… program");
      }
    }
    List<byte[]> variables =
        environment.entrySet().stream()
            .map(entry -> (entry.getKey() + "=" + entry.getValue()).getBytes(UTF_8))
            .toList();
    CommandArguments.check(variables, CommandArguments.of(command));
  }

  @Override
  public Optional<StartPlan> plan(SandboxCommand command, Path directory) {
    Map<String, String> environment = environment(command.env());
    return Optional.of(
        new StartPlan(
            shell(command, environment),
            words(command),
            environment,
            directory,
            command.mergesStderr(),
            tools));
  }

  /** The shell that becomes the command. */
  List<String> shell(SandboxCommand command, Map<String, String> environment) {
    return limits.words(command.mergesStderr(), environment);
  }

  /** The command's own words. */
  static List<String> words(SandboxCommand command) {
    return CommandArguments.of(command).stream().map(bytes -> new String(bytes, UTF_8)).toList();
  }

  @Override
  public List<PathExplanation> explain(List<Path> paths) {
    return OpenPaths.explain(paths);
  }
}
