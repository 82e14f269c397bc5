package io.zett.sandbox.host;

import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.posix.DiskCalls;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.rules.PathRule.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The paths of a policy as a session means them, fixed when it is opened.
 *
 * <p>What may be written is resolved once, here: were its links followed again for each command,
 * one command could replace a directory by a link and the next could write wherever that leads.
 * Denied paths are followed each time, since that only takes away. Immutable.
 */
public final class PolicyPaths {

  /** The kernel's and its devices' own: nothing there is a file that a command could need. */
  private static final List<UnixPath> WRITABLE_NEVER =
      List.of(UnixPath.ofText("/proc"), UnixPath.ofText("/sys"), UnixPath.ofText("/dev"));

  /** What each sandbox has of its own, so that no rule about the host's could hold there. */
  private static final List<UnixPath> OWN_IN_EACH =
      List.of(UnixPath.ofText("/proc"), UnixPath.ofText("/dev"));

  private static final UnixPath SHARED_MEMORY = UnixPath.ofText("/dev/shm");

  private final UnixPath workspace;
  private final List<UnixPath> writable;
  private final List<Given> others;

  /**
   * A rule as the policy has it; {@code names} may hold {@code ..}; it may hold only if it is
   * there.
   */
  record Given(UnixPath path, List<String> names, Kind kind, boolean onlyExisting) {}

  private PolicyPaths(UnixPath workspace, List<UnixPath> writable, List<Given> others) {
    this.workspace = workspace;
    this.writable = List.copyOf(writable);
    this.others = List.copyOf(others);
  }

  /**
   * Resolves what may be written in a workspace that the caller supplied.
   *
   * @see #open(DiskCalls, SandboxPolicy, Path, boolean, List)
   */
  public static PolicyPaths open(DiskCalls disk, SandboxPolicy policy, Path workspace) {
    return open(disk, policy, workspace, false, List.of());
  }

  /**
   * Resolves what may be written.
   *
   * @param workspace an existing directory; links are followed
   * @param ownWorkspace whether it is the session's own: nobody ever obeys what is in it
   * @param homes home directories, for files that the host obeys there
   * @throws SandboxSetupException if one is missing, no directory, or led to by a link that
   *     commands could replace
   */
  public static PolicyPaths open(
      DiskCalls disk,
      SandboxPolicy policy,
      Path workspace,
      boolean ownWorkspace,
      List<UnixPath> homes) {
    UnixPath root = directory(new PathWalk(disk, Set.of()), "workspace", workspace).real();
    Set<UnixPath> roots = new LinkedHashSet<>(Set.of(root));
    PathWalk first = new PathWalk(disk, Set.of());
    for (Path path : policy.writable()) {
      roots.add(directory(first, "writable", path).real());
    }
    PathWalk second = new PathWalk(disk, roots);
    for (Path path : policy.writable()) {
      ResolvedPath resolved = directory(second, "writable", path);
      if (resolved.replaceable()) {
        throw new SandboxSetupException(
            "writable",
            path,
            "it is a link inside a writable directory, where commands can replace it; name "
                + resolved.real(),
            null);
      }
    }
    List<Given> others = new ArrayList<>();
    policy.denyWrite().forEach(path -> others.add(denied("denyWrite", path, Kind.DENY_WRITE)));
    policy.denyRead().forEach(path -> others.add(denied("denyRead", path, Kind.DENY_READ)));
    policy.allowRead().forEach(path -> others.add(given(path, Kind.ALLOW_READ)));
    List<UnixPath> further = new ArrayList<>(roots);
    further.remove(root);
    if (policy.protectsDeveloperFiles()) {
      others.addAll(DeveloperPaths.find(disk, ownWorkspace ? further : List.copyOf(roots), homes));
    }
    return new PolicyPaths(root, further, others);
  }

  /** The workspace's real path. */
  public UnixPath workspace() {
    return workspace;
  }

  /** The real paths of further directories that commands may write. */
  public List<UnixPath> writable() {
    return writable;
  }

  /** The workspace and the further directories. */
  List<UnixPath> roots() {
    List<UnixPath> roots = new ArrayList<>(writable);
    roots.addFirst(workspace);
    return roots;
  }

  List<Given> others() {
    return others;
  }

  private static ResolvedPath directory(PathWalk walk, String option, Path path) {
    ResolvedPath resolved = walk.resolve(names(path));
    if (!resolved.exists()) {
      throw new SandboxSetupException(option, path, "does not exist or cannot be reached", null);
    }
    if (!resolved.isDirectory()) {
      throw new SandboxSetupException(option, path, "is not a directory", null);
    }
    if (resolved.real().isRoot()) {
      throw new SandboxSetupException(option, path, "is the whole disk", null);
    }
    refuseKernelAreas(option, path, resolved.real(), WRITABLE_NEVER);
    return resolved;
  }

  private static void refuseKernelAreas(
      String option, Path path, UnixPath real, List<UnixPath> areas) {
    for (UnixPath area : areas) {
      if (real.startsWith(area) && !real.startsWith(SHARED_MEMORY)) {
        throw new IllegalArgumentException(
            option
                + ": "
                + path
                + " is in "
                + area
                + (areas == WRITABLE_NEVER
                    ? ", through which the whole machine can be changed; name a directory of files"
                    : ", of which each sandbox has its own, the same for every command; take this"
                        + " rule away"));
      }
    }
  }

  /** As it is written: a link that a command has planted must not keep a sandbox from opening. */
  private static Given denied(String option, Path path, Kind kind) {
    Given given = given(path, kind);
    refuseKernelAreas(option, path, given.path(), OWN_IN_EACH);
    return given;
  }

  private static Given given(Path path, Kind kind) {
    UnixPath shown = UnixPath.of(path.normalize());
    return new Given(shown, names(path), kind, false);
  }

  /** A path's names as Latin-1 text of their bytes, {@code ..} kept. */
  private static List<String> names(Path path) {
    List<String> names = new ArrayList<>();
    for (Path name : path.toAbsolutePath()) {
      String text = name.toString();
      names.add(
          text.equals("..") ? text : UnixPath.of(Path.of("/").resolve(name)).latin1().substring(1));
    }
    return names;
  }
}
