package io.zett.sandbox.host;

import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.posix.Posix;
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
   * @see #open(Posix, SandboxPolicy, Path, boolean, List)
   */
  public static PolicyPaths open(Posix posix, SandboxPolicy policy, Path workspace) {
    return open(posix, policy, workspace, false, List.of());
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
      Posix posix,
      SandboxPolicy policy,
      Path workspace,
      boolean ownWorkspace,
      List<UnixPath> homes) {
    UnixPath root = directory(new PathWalk(posix, Set.of()), "workspace", workspace).real();
    Set<UnixPath> roots = new LinkedHashSet<>(Set.of(root));
    PathWalk first = new PathWalk(posix, Set.of());
    for (Path path : policy.writable()) {
      roots.add(directory(first, "writable", path).real());
    }
    PathWalk second = new PathWalk(posix, roots);
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
    policy.denyWrite().forEach(path -> others.add(given(path, Kind.DENY_WRITE)));
    policy.denyRead().forEach(path -> others.add(given(path, Kind.DENY_READ)));
    policy.allowRead().forEach(path -> others.add(given(path, Kind.ALLOW_READ)));
    List<UnixPath> further = new ArrayList<>(roots);
    further.remove(root);
    if (policy.protectsDeveloperFiles()) {
      others.addAll(DeveloperPaths.find(posix, ownWorkspace ? further : List.copyOf(roots), homes));
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
    return resolved;
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
