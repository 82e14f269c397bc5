package io.zett.sandbox.backend.bubblewrap;

import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.backend.InsideAccounts;
import io.zett.sandbox.backend.Launch;
import io.zett.sandbox.backend.LaunchRequest;
import io.zett.sandbox.backend.PlaceholderRequest;
import io.zett.sandbox.backend.SessionFiles;
import io.zett.sandbox.host.Host;
import io.zett.sandbox.host.HostSurvey;
import io.zett.sandbox.host.HostView;
import io.zett.sandbox.host.LauncherSearch;
import io.zett.sandbox.host.PolicyPaths;
import io.zett.sandbox.posix.Architecture;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * A session without an engine: looks at the disk, plans, and runs a shell in a real bubblewrap.
 *
 * <p>Everything is below {@code base}: the workspace {@code W}, a directory of the host {@code H},
 * a home {@code home}. The base itself is given back read-only, since it lies below {@code /tmp}.
 */
final class Trial {

  private static final Posix POSIX = Posix.system();

  final Path base;
  final Path workspace;
  final Path outside;
  final Path home;
  private final UnaryOperator<SandboxPolicy.Builder> options;
  private final PolicyPaths paths;
  private final SessionFiles files;
  private final BubblewrapBackend backend;
  private final SandboxPolicy policy;

  record Result(int status, String out, String err) {}

  /** The directories of a trial, before its policy is known. */
  static Path directories(Path base) throws IOException {
    for (String name : List.of("W", "H", "home", "run")) {
      Files.createDirectories(base.resolve(name));
    }
    return base;
  }

  Trial(Path base, UnaryOperator<SandboxPolicy.Builder> options) throws IOException {
    this(base, base.resolve("W"), options);
  }

  Trial(Path base, Path workspace, UnaryOperator<SandboxPolicy.Builder> options)
      throws IOException {
    this.base = directories(base);
    this.workspace = workspace;
    this.outside = base.resolve("H");
    this.home = base.resolve("home");
    this.options = options;
    this.policy =
        this.options.apply(SandboxPolicy.builder().allowRead(base).scratchSize(16 << 20)).build();
    this.files = sessionFiles(base.resolve("run"));
    this.paths = PolicyPaths.open(POSIX, policy, workspace);
    UnixPath launcher = LauncherSearch.of(POSIX, "bwrap", null).found().orElseThrow();
    this.backend = new BubblewrapBackend(launcher, Architecture.current());
  }

  HostView look() {
    Host host = Host.inspect(POSIX, UnixPath.of(home));
    try (HostSurvey survey = new HostSurvey(POSIX, host, paths)) {
      return survey.look();
    }
  }

  LaunchRequest request(Set<UnixPath> placeholders) {
    return new LaunchRequest(policy, look(), files, placeholders);
  }

  Launch prepare() {
    return backend.prepare(request(Set.of()));
  }

  /** The arguments, with the base written as {@code BASE}. */
  String describe() {
    return BubblewrapBackend.describe(request(Set.of())).replace(base.toString(), "BASE");
  }

  /** The mounts of the policy alone, with the base written as {@code BASE}. */
  List<String> mounts() {
    return describe().lines().filter(line -> line.contains("BASE")).toList();
  }

  /** Runs a shell, with plain files and directories standing at missing denied paths meanwhile. */
  Result run(String command) throws Exception {
    List<Path> standing = new ArrayList<>();
    try {
      Set<UnixPath> held = new HashSet<>();
      Launch launch = backend.prepare(request(held));
      while (!launch.placeholders().isEmpty()) {
        for (PlaceholderRequest wanted : launch.placeholders()) {
          Path path = wanted.firstMissing().toPath();
          if (wanted.directory()) {
            Files.createDirectory(path);
          } else {
            Files.createFile(path);
          }
          standing.add(path);
          held.add(wanted.firstMissing());
        }
        launch = backend.prepare(request(held));
      }
      return start(launch, command);
    } finally {
      for (Path path : standing.reversed()) {
        Files.deleteIfExists(path);
      }
    }
  }

  private Result start(Launch launch, String command) throws Exception {
    Path out = base.resolve("run/out");
    Path err = base.resolve("run/err");
    Process process =
        shell(launch, command)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      throw new AssertionError("did not end: " + command);
    }
    return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  /** Starts a sandbox whose shell waits for its input to end; returns once that shell runs. */
  Process startWaiting(Launch launch) throws Exception {
    Process process = shell(launch, "echo ready; read line").redirectErrorStream(true).start();
    byte[] ready = process.getInputStream().readNBytes(6);
    if (!new String(ready, StandardCharsets.UTF_8).equals("ready\n")) {
      throw new AssertionError(new String(ready, StandardCharsets.UTF_8));
    }
    return process;
  }

  /** The first process of a sandbox, as this machine numbers it. */
  int firstProcess(Process launcher) throws IOException {
    Path children = Path.of("/proc/%d/task/%d/children".formatted(launcher.pid(), launcher.pid()));
    return Integer.parseInt(Files.readString(children).strip());
  }

  private ProcessBuilder shell(Launch launch, String command) throws IOException {
    Path arguments = Files.write(base.resolve("run/arguments"), launch.arguments());
    Path seccomp = Files.write(base.resolve("run/seccomp"), launch.seccomp());
    ProcessBuilder builder =
        new ProcessBuilder(
            "/bin/sh",
            "-c",
            "exec \"$0\" --args 3 /bin/sh -c \"cd '$3'; export HOME='$5'; $4\" 3<\"$1\" 5<\"$2\"",
            launch.program().toString(),
            arguments.toString(),
            seccomp.toString(),
            workspace.toString(),
            command,
            launch.home().toString());
    builder.environment().clear();
    builder.environment().put("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin");
    return builder;
  }

  private static SessionFiles sessionFiles(Path run) throws IOException {
    Path file = run.resolve("file000");
    Path directory = run.resolve("dir000");
    if (!Files.exists(file)) {
      Files.createFile(file);
      Files.createDirectory(directory);
      Files.setPosixFilePermissions(file, Set.of());
      Files.setPosixFilePermissions(directory, Set.of());
    }
    Path settings = Files.writeString(run.resolve("settings.xml"), SessionFiles.EMPTY_SETTINGS);
    Path passwd =
        Files.write(run.resolve("passwd"), InsideAccounts.passwd(UnixPath.ofText("/root")));
    Path group = Files.write(run.resolve("group"), InsideAccounts.group());
    return new SessionFiles(
        UnixPath.of(file),
        UnixPath.of(directory),
        UnixPath.of(settings),
        UnixPath.of(passwd),
        UnixPath.of(group));
  }

  /** Makes a file with its directories. */
  static Path write(Path file, String content) throws IOException {
    Files.createDirectories(file.getParent());
    return Files.write(file, content.getBytes(StandardCharsets.UTF_8));
  }

  static void mode(Path file, String mode) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }
}
