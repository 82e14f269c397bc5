package io.zett.sandbox.host;

import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.posix.DiskCalls;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks into git directories as git does (gitrepository-layout(5)). What cannot be looked at is not
 * there: git of the same user sees no more. Not thread-safe.
 */
final class GitDirectories {

  /** More than any project has; an earlier command may have made them to hide one among them. */
  private static final int MOST_DIRECTORIES = 10_000;

  private static final int LONGEST = 1 << 20;
  private static final String POINTER = "gitdir:";

  private final DiskCalls disk;
  private int seen;

  GitDirectories(DiskCalls disk) {
    this.disk = disk;
  }

  boolean exists(UnixPath path) {
    return disk.lstatIfAllowed(path) != null;
  }

  private boolean isDirectory(UnixPath path) {
    FileStatus status = disk.lstatIfAllowed(path);
    return status != null && status.isDirectory();
  }

  /** Whether git takes a directory for its own once it is complete. */
  private boolean isGitDirectory(UnixPath path) {
    return exists(path.resolve("HEAD"))
        || exists(path.resolve("config"))
        || exists(path.resolve("objects"));
  }

  /** The administrative directories of linked worktrees. */
  List<UnixPath> worktrees(UnixPath git) {
    return directoriesIn(git.resolve("worktrees"));
  }

  /** Submodules' git directories, whose names may hold slashes; not those of their submodules. */
  List<UnixPath> modules(UnixPath git) {
    List<UnixPath> modules = new ArrayList<>();
    collect(git.resolve("modules"), modules);
    return modules;
  }

  private void collect(UnixPath directory, List<UnixPath> modules) {
    for (UnixPath child : directoriesIn(directory)) {
      if (isGitDirectory(child)) {
        modules.add(child);
      } else {
        collect(child, modules);
      }
    }
  }

  /** Where a {@code .git} that is a file leads; null when it is none. */
  @Nullable UnixPath pointedAt(UnixPath file) {
    FileStatus status = disk.lstatIfAllowed(file);
    String text = status == null || !status.isRegular() ? "" : text(file);
    return text.startsWith(POINTER)
        ? path(parent(file), text.substring(POINTER.length()).strip())
        : null;
  }

  /** The directory whose configuration counts for a git directory: its own, unless it is linked. */
  UnixPath common(UnixPath git) {
    String text = text(git.resolve("commondir")).strip();
    UnixPath common = text.isEmpty() ? null : path(git, text);
    return common == null ? git : common;
  }

  /** The file {@code .git} of a linked worktree, as its administrative directory says. */
  @Nullable UnixPath fileOfWorktree(UnixPath admin) {
    String text = text(admin.resolve("gitdir")).strip();
    return text.isEmpty() ? null : path(admin, text);
  }

  /** The settings of a configuration file; none when it cannot be read. */
  List<GitConfig.Setting> settings(UnixPath file) {
    return GitConfig.parse(text(file));
  }

  /** A path as git writes it, relative to a directory or absolute; null for an impossible one. */
  @Nullable UnixPath path(UnixPath base, String latin1) {
    return path(latin1.startsWith("/") ? latin1 : base.latin1() + "/" + latin1);
  }

  /** Where an absolute path with {@code ..} and links leads; null for an impossible one. */
  @Nullable UnixPath path(String latin1) {
    try {
      return new PathWalk(disk, Set.of()).resolve(PathWalk.components(latin1)).real();
    } catch (PosixException | IllegalArgumentException e) {
      return null;
    }
  }

  /** What a path would mean if nothing on the way were a link. */
  static UnixPath withoutLinks(List<String> names) {
    UnixPath at = UnixPath.ROOT;
    for (String name : names) {
      at = name.equals("..") ? parent(at) : at.resolve(name.getBytes(StandardCharsets.ISO_8859_1));
    }
    return at;
  }

  private static UnixPath parent(UnixPath path) {
    UnixPath parent = path.parent();
    return parent == null ? path : parent;
  }

  private List<UnixPath> directoriesIn(UnixPath parent) {
    List<UnixPath> directories = new ArrayList<>();
    disk.list(
        parent,
        entry -> {
          UnixPath child = parent.resolve(entry.name());
          if (isDirectory(child)) {
            directories.add(child);
            count(parent);
          }
        });
    return directories;
  }

  /** Fails closed: what is not looked at would not be protected. */
  private void count(UnixPath parent) {
    if (++seen > MOST_DIRECTORIES) {
      throw new SandboxSetupException(
          "protectDeveloperFiles",
          parent.toPath(),
          "holds too many directories to look at (the limit is "
              + MOST_DIRECTORIES
              + "); remove those that are not git's",
          null);
    }
  }

  /** As Latin-1; empty when it cannot be read. A FIFO in its place does not block. */
  private String text(UnixPath file) {
    try {
      return new String(disk.readRegularFile(file, LONGEST), StandardCharsets.ISO_8859_1);
    } catch (PosixException e) {
      e.throwIfShortage();
      return "";
    }
  }
}
