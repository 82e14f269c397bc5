package io.zett.sandbox.host;

import io.zett.sandbox.posix.DiskCalls;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.rules.DeveloperFile;
import io.zett.sandbox.rules.DeveloperFile.Place;
import io.zett.sandbox.rules.DeveloperFiles;
import io.zett.sandbox.rules.PathRule.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where the files are that the host obeys by itself, in directories that commands may write.
 *
 * <p>They are looked for once, when the sandbox is opened: a worktree or submodule that a command
 * makes is its own, and it may remove it again.
 */
final class DeveloperPaths {
  private static final String WORKTREE = "worktrees/*/";
  private static final String HEAD = "HEAD";
  private static final String CONFIG = "config";

  private final GitDirectories git;
  private final PathWalk walk;
  private final List<UnixPath> roots;
  private final List<UnixPath> homes;
  private final Map<UnixPath, PolicyPaths.Given> found = new LinkedHashMap<>();
  private final Set<List<UnixPath>> readConfigurations = new HashSet<>();

  private DeveloperPaths(DiskCalls disk, List<UnixPath> roots, List<UnixPath> homes) {
    this.git = new GitDirectories(disk);
    this.walk = new PathWalk(disk, Set.of());
    this.roots = roots;
    this.homes = homes;
  }

  /**
   * Finds them.
   *
   * @param roots real paths of the directories
   * @param homes home directories; those that are not at or below a root do not count
   * @throws io.zett.sandbox.SandboxSetupException if a git directory holds too many to look at
   */
  static List<PolicyPaths.Given> find(DiskCalls disk, List<UnixPath> roots, List<UnixPath> homes) {
    DeveloperPaths paths = new DeveloperPaths(disk, roots, homes);
    for (UnixPath root : roots) {
      paths.addAll(root, Place.TOP, "");
      paths.addGit(root);
    }
    paths.addHomes();
    return List.copyOf(paths.found.values());
  }

  private void addHomes() {
    for (UnixPath home : homes) {
      UnixPath real = walk.resolve(home).real();
      if (isWritable(real)) {
        addAll(real, Place.HOME, "");
      }
    }
  }

  private void addGit(UnixPath root) {
    UnixPath own = root.resolve(".git");
    UnixPath elsewhere = git.pointedAt(own);
    if (elsewhere == null) {
      addGitDirectory(own, root);
    } else {
      addAll(own, Place.GIT, ""); // Behind a file: that it stays one.
      addNamedBy(git.common(elsewhere).resolve(CONFIG), root);
      addNamedBy(elsewhere.resolve("config.worktree"), root);
    }
    if (!homes.isEmpty()) {
      addNamedBy(homes.getFirst().resolve(".gitconfig"), root);
      addNamedBy(homes.getFirst().resolve(".config/git/config"), root);
    }
    addBare(root);
  }

  /** A git directory at the very top; where it has no {@code HEAD}, the list keeps that away. */
  private void addBare(UnixPath root) {
    if (!git.exists(root.resolve(HEAD))) {
      return;
    }
    if (git.exists(root.resolve("commondir"))) {
      found.remove(root.resolve(HEAD)); // Git itself writes it.
      addAll(root, Place.GIT, WORKTREE);
    } else if (git.exists(root.resolve("objects")) && git.exists(root.resolve("refs"))) {
      found.remove(root.resolve(HEAD));
      addGitDirectory(root, root);
    } else if (!git.exists(root.resolve(".git"))) {
      // Some file of this name: what would make a git directory of the rest stays away.
      add(root.resolve(git.exists(root.resolve("objects")) ? "refs" : "objects"), false);
      add(root.resolve("commondir"), false);
    }
  }

  /** A git directory with what it names, its linked worktrees and its submodules. */
  private void addGitDirectory(UnixPath directory, @Nullable UnixPath workTree) {
    addAll(directory, Place.GIT, "");
    UnixPath top = workTree == null ? directory : workTree;
    addNamedBy(directory.resolve(CONFIG), top);
    addNamedBy(directory.resolve("config.worktree"), top);
    for (UnixPath admin : git.worktrees(directory)) {
      addWorktree(admin);
    }
    for (UnixPath module : git.modules(directory)) {
      UnixPath moduleTree = workTreeOf(module);
      if (moduleTree != null && isWritable(moduleTree)) {
        add(moduleTree.resolve(".git"), true);
      }
      addGitDirectory(module, moduleTree);
    }
  }

  /** A directory that holds a {@code HEAD} is a worktree's: what is missing in it counts, too. */
  private void addWorktree(UnixPath admin) {
    boolean complete = git.exists(admin.resolve(HEAD));
    for (DeveloperFile entry : DeveloperFiles.entries()) {
      if (entry.place() == Place.GIT && entry.path().startsWith(WORKTREE)) {
        add(admin.resolve(entry.path().substring(WORKTREE.length())), !complete);
      }
    }
    UnixPath file = git.fileOfWorktree(admin);
    if (file != null && isWritable(file)) {
      add(file, true);
    }
  }

  private @Nullable UnixPath workTreeOf(UnixPath module) {
    UnixPath tree = null;
    for (GitConfig.Setting setting : git.settings(module.resolve(CONFIG))) {
      if (setting.name().equals("core.worktree")) {
        tree = git.path(module, setting.value());
      }
    }
    return tree;
  }

  /**
   * Hooks and further configuration that a configuration file places in what commands may write.
   *
   * @param workTree what a relative place of hooks begins at
   */
  private void addNamedBy(UnixPath file, UnixPath workTree) {
    if (!readConfigurations.add(List.of(file, workTree))) {
      return;
    }
    for (GitConfig.Setting setting : git.settings(file)) {
      switch (setting.name()) {
        case "core.hookspath" -> addHooks(named(workTree, setting.value()));
        case "include.path", "includeif.path" -> {
          UnixPath parent = file.parent();
          Named included = named(parent == null ? file : parent, setting.value());
          if (included != null) {
            // Where it is missing stands an empty file: git dies at a directory.
            add(included, false);
            addNamedBy(included.real(), workTree);
          }
        }
        default -> {}
      }
    }
  }

  private void addHooks(@Nullable Named hooks) {
    if (hooks == null || roots.contains(hooks.real())) {
      return; // To the top itself commands have to write.
    }
    add(hooks, true);
    // Below it, so that what stands there if it is missing is a directory.
    List<String> names = new ArrayList<>(hooks.names());
    names.add("pre-commit");
    add(new Named(hooks.real().resolve("pre-commit"), names), false);
  }

  /** A path as a setting has it, with the links that commands could replace, and what it means. */
  private record Named(UnixPath real, List<String> names) {}

  /** What a setting names; null unless it is or was led to through what commands may write. */
  private @Nullable Named named(UnixPath base, String value) {
    boolean inHome = value.startsWith("~/") && !homes.isEmpty();
    UnixPath from = inHome ? homes.getFirst() : base;
    String whole =
        value.startsWith("/") ? value : from.latin1() + "/" + value.substring(inHome ? 2 : 0);
    UnixPath real = git.path(whole);
    if (value.isEmpty() || real == null) {
      return null;
    }
    List<String> names = PathWalk.components(whole);
    boolean concerns = isWritable(real) || isWritable(GitDirectories.withoutLinks(names));
    return concerns ? new Named(real, names) : null;
  }

  private boolean isWritable(UnixPath path) {
    return roots.stream().anyMatch(path::startsWith);
  }

  /** Adds the entries of a place that begin with a prefix, without it; not what has a pattern. */
  private void addAll(UnixPath directory, Place place, String prefix) {
    for (DeveloperFile entry : DeveloperFiles.entries()) {
      if (entry.place() == place && entry.path().startsWith(prefix)) {
        String rest = entry.path().substring(prefix.length());
        if (rest.indexOf('*') < 0) {
          add(directory.resolve(rest), entry.onlyExisting() && prefix.isEmpty());
        }
      }
    }
  }

  private void add(UnixPath at, boolean onlyExisting) {
    add(new Named(at, PathWalk.components(at.latin1())), onlyExisting);
  }

  private void add(Named at, boolean onlyExisting) {
    PolicyPaths.Given given =
        new PolicyPaths.Given(at.real(), at.names(), Kind.DEVELOPER_FILE, onlyExisting);
    found.merge(at.real(), given, (before, now) -> before.onlyExisting() ? now : before);
  }
}
