package io.zett.sandbox.host;

import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks for a launcher in fixed directories, never in anybody's {@code PATH}: a workspace may hold
 * a program of the same name.
 *
 * @param found the first that may be trusted, its links followed
 * @param rejected those that may not, and why
 * @param setId whether the one that was found runs with its owner's or group's rights
 */
public record LauncherSearch(Optional<UnixPath> found, List<String> rejected, boolean setId) {

  /** The property that names another launcher. */
  public static final String PROPERTY = "io.zett.sandbox.bubblewrap";

  private static final List<String> DIRECTORIES =
      List.of(
          "/usr/bin",
          "/usr/local/bin",
          "/bin",
          "/run/current-system/sw/bin",
          "/nix/var/nix/profiles/default/bin");

  /** Where administrators put programs, and so do others whom they let. */
  private static final UnixPath LOCAL = UnixPath.ofText("/usr/local");

  /** Whom a user namespace does not know, it shows as this one (user_namespaces(7)). */
  private static final int UNMAPPED = 65534;

  private static final UnixPath USERS = UnixPath.ofText("/proc/self/uid_map");
  private static final int LONGEST_MAP = 64 << 10;

  private static final int WRITABLE_BY_GROUP = 0020;
  private static final int WRITABLE_BY_OTHERS = 0002;
  private static final int STICKY = 01000;
  private static final int SET_ID = 06000;

  public LauncherSearch {
    rejected = List.copyOf(rejected);
  }

  /** One whose launcher has its caller's rights. */
  public LauncherSearch(Optional<UnixPath> found, List<String> rejected) {
    this(found, rejected, false);
  }

  /**
   * Looks for a program.
   *
   * @param name its file name
   * @param override the only place to look at; null for the fixed directories
   */
  public static LauncherSearch of(Posix posix, String name, @Nullable UnixPath override) {
    List<UnixPath> candidates = new ArrayList<>();
    if (override != null) {
      candidates.add(override);
    } else {
      for (String directory : DIRECTORIES) {
        candidates.add(UnixPath.ofText(directory).resolve(name.getBytes(StandardCharsets.UTF_8)));
      }
    }
    PathWalk walk = new PathWalk(posix, Set.of());
    List<String> rejected = new ArrayList<>();
    for (UnixPath candidate : candidates) {
      ResolvedPath resolved = walk.resolve(candidate);
      String objection =
          resolved.exists()
              ? objection(posix, walk, resolved)
              : override == null ? null : "is missing";
      if (objection != null) {
        rejected.add(candidate + " " + objection);
      } else if (resolved.exists()) {
        FileStatus status = resolved.status();
        boolean setId = status != null && (status.mode() & SET_ID) != 0;
        return new LauncherSearch(Optional.of(resolved.real()), rejected, setId);
      }
    }
    return new LauncherSearch(Optional.empty(), rejected);
  }

  /**
   * Whether this user namespace has no root of the host in it, so that the system's files seem to
   * belong to nobody. They still are root's in directories that only root fills.
   */
  private static boolean isSystemUnmapped(Posix posix) {
    try {
      byte[] map = posix.readFile(USERS, LONGEST_MAP);
      for (String line : new String(map, StandardCharsets.US_ASCII).split("\n", -1)) {
        String[] words = line.strip().split(" +", -1); // first inside, first outside, how many
        if (words.length == 3) {
          long first = Long.parseLong(words[0]);
          if (first <= UNMAPPED && UNMAPPED < first + Long.parseLong(words[2])) {
            return false; // There is an account of that number.
          }
        }
      }
      return true;
    } catch (PosixException | NumberFormatException e) {
      return false;
    }
  }

  private static @Nullable String objection(Posix posix, PathWalk walk, ResolvedPath resolved) {
    FileStatus status = resolved.status();
    if (status == null || !status.isRegular()) {
      return "is not a regular file";
    }
    for (UnixPath at = resolved.real(); at != null; at = at.parent()) {
      PathWalk.Node node = walk.node(at);
      FileStatus here = node == null ? null : node.status;
      if (here == null) {
        return "cannot be looked at";
      }
      boolean system =
          here.uid() == 0
              || (here.uid() == UNMAPPED
                  && !resolved.real().startsWith(LOCAL)
                  && isSystemUnmapped(posix));
      if (!system && here.uid() != posix.geteuid()) {
        return "can be replaced by the owner of " + at;
      }
      int others = here.gid() == 0 ? WRITABLE_BY_OTHERS : WRITABLE_BY_OTHERS | WRITABLE_BY_GROUP;
      // In a sticky directory nobody can replace what another owns.
      if ((here.mode() & others) != 0 && (here.mode() & STICKY) == 0) {
        return "can be changed by others, who may write " + at;
      }
    }
    try {
      return posix.access(resolved.real(), Constants.X_OK) ? null : "is not executable";
    } catch (PosixException e) {
      return "cannot be executed: " + e.getMessage();
    }
  }
}
