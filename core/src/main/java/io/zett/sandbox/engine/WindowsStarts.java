package io.zett.sandbox.engine;

import io.zett.sandbox.Enforcement;
import io.zett.sandbox.HomeMode;
import io.zett.sandbox.Limit;
import io.zett.sandbox.PathExplanation;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.portable.ProgramSearch;
import io.zett.sandbox.portable.StartPlan;
import io.zett.sandbox.portable.WindowsWords;
import io.zett.sandbox.rules.WindowsVariables;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** Programs of Windows as they are: nothing is isolated. */
final class WindowsStarts implements Starts {
  private static final String ROOT = "C:\\Windows";

  private final SandboxPolicy policy;
  private final Map<String, String> host;
  private final Map<String, String> provided;
  private final WindowsWords words;

  WindowsStarts(SandboxPolicy policy, Map<String, String> host, PortableSession session) {
    this.policy = policy;
    this.host = host;
    provided = provided(policy, session);
    // Not %ComSpec%, which anybody can set.
    String root = WindowsVariables.ignoringCase(host).getOrDefault("SystemRoot", ROOT);
    words = WindowsWords.of(Path.of(root).resolve("System32").resolve("cmd.exe"));
  }

  private static Map<String, String> provided(SandboxPolicy policy, PortableSession session) {
    Map<String, String> provided = new HashMap<>();
    for (String name : List.of("TEMP", "TMP", "TMPDIR")) {
      provided.put(name, session.scratch().toString());
    }
    if (policy.home() == HomeMode.PRIVATE) {
      Path home = session.home();
      for (String name : List.of("USERPROFILE", "HOME")) {
        provided.put(name, home.toString());
      }
      Path root = home.getRoot();
      String drive = root == null ? "" : root.toString().replace("\\", "");
      provided.put("HOMEDRIVE", drive);
      provided.put("HOMEPATH", home.toString().substring(drive.length()));
      provided.put("APPDATA", home.resolve("AppData").resolve("Roaming").toString());
      provided.put("LOCALAPPDATA", home.resolve("AppData").resolve("Local").toString());
    }
    return provided;
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
    return PortableLimits.windows();
  }

  @Override
  public boolean bounds(Limit limit) {
    return false;
  }

  @Override
  public boolean countsMemory() {
    return false;
  }

  @Override
  public SortedMap<String, String> environment(Map<String, String> ofCommand) {
    return WindowsVariables.compose(host, provided, policy.env(), ofCommand);
  }

  @Override
  public void check(SandboxCommand command, Path directory) {
    var _ = plan(command, directory);
  }

  @Override
  public Optional<StartPlan> plan(SandboxCommand command, Path directory) {
    SortedMap<String, String> environment = environment(command.env());
    Optional<List<String>> line =
        command.shellText().isPresent()
            ? command.shellText().map(words::shell)
            : search(environment)
                .find(command.program(), directory)
                .map(program -> words.program(program, arguments(command)));
    return line.map(
        found ->
            new StartPlan(List.of(), found, environment, directory, command.mergesStderr(), null));
  }

  private static List<String> arguments(SandboxCommand command) {
    return command.arguments().subList(1, command.arguments().size());
  }

  private static ProgramSearch search(SortedMap<String, String> environment) {
    return new ProgramSearch(
        environment.getOrDefault("PATH", ""), environment.getOrDefault("PATHEXT", ""));
  }

  @Override
  public List<PathExplanation> explain(List<Path> paths) {
    return OpenPaths.explain(paths);
  }
}
