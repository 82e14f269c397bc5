package io.zett.sandbox.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.zett.sandbox.Enforcement;
import io.zett.sandbox.Limit;
import io.zett.sandbox.PathExplanation;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.backend.Launch;
import io.zett.sandbox.backend.LaunchRequest;
import io.zett.sandbox.backend.SessionFiles;
import io.zett.sandbox.backend.seatbelt.SeatbeltBackend;
import io.zett.sandbox.host.Host;
import io.zett.sandbox.host.HostSurvey;
import io.zett.sandbox.host.HostView;
import io.zett.sandbox.host.PlainDisk;
import io.zett.sandbox.host.PolicyPaths;
import io.zett.sandbox.portable.StartPlan;
import io.zett.sandbox.posix.LaunchDescriptors;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.UUID;

/** Programs of a Unix inside {@code sandbox-exec}, behind the same shell as without it. */
final class SeatbeltStarts implements Starts {
  private static final String BY_DESCRIPTOR = "/dev/fd/" + LaunchDescriptors.ARGUMENTS;

  private final SandboxPolicy policy;
  private final UnixStarts inside;
  private final UnixPath launcher;
  private final PlainDisk disk = new PlainDisk();
  private final HostSurvey survey;
  private final SessionFiles files;
  private final Path profiles;

  /**
   * For one session.
   *
   * @param inside what is started in the sandbox
   * @param launcher {@link SeatbeltBackend#LAUNCHER}, or what stands in for it in a test
   * @param ownWorkspace whether it is the session's own
   * @throws IllegalArgumentException if the policy names a directory that cannot be written
   */
  SeatbeltStarts(
      SandboxPolicy policy,
      UnixStarts inside,
      Path launcher,
      PortableSession session,
      boolean ownWorkspace,
      Host host)
      throws IOException {
    this.policy = policy;
    this.inside = inside;
    this.launcher = UnixPath.of(launcher);
    profiles = session.tree().make("run");
    UnixPath run = UnixPath.of(profiles);
    files =
        new SessionFiles(
            run.resolve("mask-file"),
            run.resolve("mask-directory"),
            run.resolve("settings"),
            run.resolve("passwd"),
            run.resolve("group"));
    survey = new HostSurvey(disk, host, paths(session.workspace(), ownWorkspace, host));
  }

  /** The same with what a JDK knows of this machine. */
  static SeatbeltStarts make(
      SandboxPolicy policy,
      UnixStarts inside,
      Path launcher,
      PortableSession session,
      boolean ownWorkspace) {
    try {
      Host host =
          PortableHost.look(new PlainDisk(), session.callersHome(), session.tree().directory());
      return new SeatbeltStarts(policy, inside, launcher, session, ownWorkspace, host);
    } catch (PosixException e) {
      throw new SandboxSetupException("looking at the disk", null, Shortage.explained(e), e);
    } catch (IOException e) {
      throw new SandboxSetupException(
          "making the sandbox's directory", session.tree().directory(), String.valueOf(e), e);
    }
  }

  private PolicyPaths paths(Path workspace, boolean own, Host host) {
    try {
      return PolicyPaths.open(disk, policy, workspace, own, host.homes());
    } catch (SandboxSetupException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  @Override
  public SandboxBackend kind() {
    return SandboxBackend.SEATBELT;
  }

  @Override
  public boolean isolated() {
    return true;
  }

  @Override
  public Map<Limit, Enforcement> enforcements() {
    return inside.enforcements();
  }

  @Override
  public boolean bounds(Limit limit) {
    return inside.bounds(limit);
  }

  @Override
  public boolean countsMemory() {
    return inside.countsMemory();
  }

  @Override
  public SortedMap<String, String> environment(Map<String, String> ofCommand) {
    return inside.environment(ofCommand);
  }

  @Override
  public void check(SandboxCommand command, Path directory) {
    inside.check(command, directory);
  }

  @Override
  public Optional<StartPlan> plan(SandboxCommand command, Path directory) {
    Map<String, String> environment = environment(command.env());
    List<byte[]> shell =
        inside.shell(command, environment).stream().map(word -> word.getBytes(UTF_8)).toList();
    Launch launch = new SeatbeltBackend(launcher, shell).prepare(request(look()));
    return Optional.of(
        new StartPlan(
            words(launch),
            UnixStarts.words(command),
            environment,
            directory,
            command.mergesStderr(),
            inside.tools()));
  }

  private HostView look() {
    try {
      return survey.look();
    } catch (PosixException e) {
      throw new SandboxSetupException("looking at the disk", null, Shortage.explained(e), e);
    }
  }

  private LaunchRequest request(HostView view) {
    return new LaunchRequest(policy, view, files, Set.of());
  }

  private List<String> words(Launch launch) {
    List<String> words = new ArrayList<>();
    words.add(launch.program().toString());
    for (byte[] word : launch.argv().subList(1, launch.argv().size())) {
      words.add(new String(word, UTF_8));
    }
    byte[] text = launch.arguments();
    if (text != null) {
      words.set(words.indexOf(BY_DESCRIPTOR), written(text).toString());
    }
    return words;
  }

  /** A long profile is a file in a directory of the session that no command may write. */
  private Path written(byte[] text) {
    Path file = profiles.resolve(UUID.nameUUIDFromBytes(text) + ".sb");
    try {
      if (!Files.exists(file)) {
        Path made = Files.createTempFile(profiles, "new", ".sb");
        Files.write(made, text);
        Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (IOException e) {
      throw new SandboxSetupException("writing the profile", file, String.valueOf(e), e);
    }
    return file;
  }

  @Override
  public List<PathExplanation> explain(List<Path> paths) {
    HostView view = look();
    return Explanations.of(
        view, disk, new SeatbeltBackend(launcher, List.of()).sight(request(view)), paths);
  }
}
