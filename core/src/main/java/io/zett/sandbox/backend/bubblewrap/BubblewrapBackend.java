package io.zett.sandbox.backend.bubblewrap;

import io.zett.sandbox.NetworkMode;
import io.zett.sandbox.SandboxBackend;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.backend.Backend;
import io.zett.sandbox.backend.EffectiveRules;
import io.zett.sandbox.backend.InitCommand;
import io.zett.sandbox.backend.InsideAccounts;
import io.zett.sandbox.backend.InsideHome;
import io.zett.sandbox.backend.Launch;
import io.zett.sandbox.backend.LaunchRequest;
import io.zett.sandbox.backend.Sight;
import io.zett.sandbox.host.Host;
import io.zett.sandbox.host.HostView;
import io.zett.sandbox.host.MountCheck;
import io.zett.sandbox.host.ResolvedPath;
import io.zett.sandbox.posix.Architecture;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.LaunchDescriptors;
import io.zett.sandbox.posix.UnixPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Linux: namespaces, mounts and a seccomp program by bubblewrap 0.8.0 or newer.
 *
 * <p>Nothing of the policy stands in a command line, where other users could read it: the arguments
 * are read from a descriptor.
 */
public final class BubblewrapBackend implements Backend {

  /** bubblewrap's own bound of all arguments together (MAX_ARGS). */
  static final int MOST_ARGUMENTS = 9000;

  /** Kept for its command line, to which descriptors of groups are appended. */
  private static final int RESERVED = 50;

  private static final int S_ISGID = 02000;

  private static final UnixPath ROOT = UnixPath.ROOT;
  private static final UnixPath DEV = UnixPath.ofText("/dev");
  private static final UnixPath PROC = UnixPath.ofText("/proc");
  private static final UnixPath PROC_SYS = UnixPath.ofText("/proc/sys");
  private static final UnixPath PROC_SYS_NET = UnixPath.ofText("/proc/sys/net");

  private final UnixPath launcher;
  private final Architecture architecture;
  private final Map<SeccompOptions, byte[]> programs = new ConcurrentHashMap<>();

  /**
   * A backend.
   *
   * @param launcher the trusted path of {@code bwrap}
   * @param architecture the machine's
   */
  public BubblewrapBackend(UnixPath launcher, Architecture architecture) {
    this.launcher = launcher;
    this.architecture = architecture;
  }

  @Override
  public SandboxBackend kind() {
    return SandboxBackend.BUBBLEWRAP;
  }

  @Override
  public boolean hasNamespaces() {
    return true;
  }

  @Override
  public Launch prepare(LaunchRequest request) {
    EffectiveRules rules = EffectiveRules.of(request);
    MountPlan plan = MountPlanner.plan(request, rules);
    List<MountCheck> checks = new ArrayList<>();
    ArgumentList arguments = arguments(request, plan, checks);
    // Each placeholder will be a mount too: too many are refused before any is made.
    int missing = plan.placeholders().size();
    checkCount(arguments.size() + 3 * missing, plan.mounts().size() + missing);
    checks.addAll(plan.checks());
    List<byte[]> argv = new ArrayList<>();
    argv.add(InitCommand.ascii(InitCommand.NAME));
    argv.add(InitCommand.ascii("--args"));
    argv.add(InitCommand.ascii(Integer.toString(LaunchDescriptors.ARGUMENTS)));
    argv.add(InitCommand.path().bytes());
    argv.addAll(InitCommand.arguments("pid1"));
    return new Launch(
        launcher,
        argv,
        arguments.nulSeparated(),
        programs.computeIfAbsent(
            seccompOptions(request), options -> SeccompProgram.of(architecture, options)),
        checks,
        plan.placeholders(),
        InsideHome.of(request.policy().home(), request.view()).path(),
        plan.watch(),
        onlyWritable(plan));
  }

  @Override
  public Sight sight(LaunchRequest request) {
    EffectiveRules rules = EffectiveRules.of(request);
    return MountSight.of(request, rules, MountPlanner.plan(request, rules), kernelMasks(request));
  }

  /** The arguments one option a line, for people and tests. */
  static String describe(LaunchRequest request) {
    MountPlan plan = MountPlanner.plan(request, EffectiveRules.of(request));
    return arguments(request, plan, new ArrayList<>()).toString();
  }

  private static ArgumentList arguments(
      LaunchRequest request, MountPlan plan, List<MountCheck> checks) {
    SandboxPolicy policy = request.policy();
    HostView view = request.view();
    boolean root = view.host().isRoot();
    ArgumentList arguments = new ArgumentList();
    arguments.add("--unshare-all").add("--unshare-user");
    if (policy.network() == NetworkMode.UNRESTRICTED) {
      arguments.add("--share-net");
    }
    if (root) {
      arguments.add("--uid", InsideAccounts.ID).add("--gid", InsideAccounts.ID);
    }
    arguments
        .add("--hostname", "sandbox")
        .add("--cap-drop", "ALL")
        .add("--disable-userns")
        .add("--die-with-parent")
        .add("--new-session")
        .add("--as-pid-1")
        .add("--seccomp", LaunchDescriptors.SECCOMP)
        .add("--ro-bind", ROOT, ROOT);
    if (root) {
      account(arguments, checks, request.files().passwd(), view.places().passwd());
      account(arguments, checks, request.files().group(), view.places().group());
    }
    // bubblewrap would bind its own terminal into /dev; its stdout must be none, see the spawner.
    arguments.add("--dev", DEV).add("--proc", PROC).add("--ro-bind", PROC_SYS, PROC_SYS);
    for (Host.KernelSecret secret : kernelMasks(request)) {
      UnixPath mask =
          secret.directory() ? request.files().maskDirectory() : request.files().maskFile();
      arguments.add("--ro-bind", mask, secret.path());
    }
    plan.addTo(arguments);
    // The tmpfs below /dev is not bounded; the devices in it are mounts of their own.
    arguments.add("--remount-ro", DEV);
    // To a command of root all files in /proc are its own, and a few are open to everybody.
    arguments.add("--remount-ro", PROC);
    return arguments;
  }

  private static List<Host.KernelSecret> kernelMasks(LaunchRequest request) {
    List<Host.KernelSecret> secrets = new ArrayList<>(request.view().host().kernelSecrets());
    if (request.policy().network() == NetworkMode.NONE) {
      // There it is the sandbox's own.
      secrets.removeIf(secret -> secret.path().startsWith(PROC_SYS_NET));
    }
    return secrets;
  }

  private static void account(
      ArgumentList arguments, List<MountCheck> checks, UnixPath file, ResolvedPath place) {
    FileStatus status = place.status();
    if (status != null && status.isRegular()) {
      arguments.add("--ro-bind", file, place.real());
      checks.add(MountCheck.present(place.real()));
    }
  }

  /** What is writable by the mounts; in {@code /dev} devices and terminals are. */
  private static List<UnixPath> onlyWritable(MountPlan plan) {
    List<UnixPath> directories = new ArrayList<>(plan.writable());
    directories.removeIf(directory -> directory.startsWith(DEV));
    directories.add(DEV);
    return directories;
  }

  private static SeccompOptions seccompOptions(LaunchRequest request) {
    HostView view = request.view();
    FileStatus workspace = view.seen().get(view.workspace());
    return new SeccompOptions(
        workspace != null && (workspace.mode() & S_ISGID) != 0,
        request.policy().blocksUnixSockets());
  }

  private static void checkCount(int count, int paths) {
    if (count > MOST_ARGUMENTS - RESERVED) {
      throw new SandboxSetupException(
          "rules",
          "too many rules: they need "
              + paths
              + " mounts and "
              + count
              + " launcher arguments, and bubblewrap takes "
              + MOST_ARGUMENTS
              + " (about 2,500 paths); deny a directory in place of the files in it");
    }
  }
}
