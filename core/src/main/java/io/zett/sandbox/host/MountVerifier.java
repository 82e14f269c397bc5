package io.zett.sandbox.host;

import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares a finished sandbox, in which nothing runs yet, with what was planned.
 *
 * <p>bubblewrap takes paths, and a directory may be replaced by a link between the look and the
 * mount. So every destination must be a mount at exactly its path, reached without any link, and
 * must be the file that was seen. Stateless.
 */
public final class MountVerifier {

  private static final int LONGEST = 64 << 20;
  private static final String STEP = "checking the sandbox";

  private MountVerifier() {}

  /**
   * Looks at the sandbox of a process that has not begun its command.
   *
   * @param pid a process of the sandbox, which the caller may inspect
   * @throws SandboxSetupException if anything differs; the command must not start then
   */
  public static void verify(Posix posix, int pid, List<MountCheck> checks) {
    UnixPath process = UnixPath.ofText("/proc/" + pid);
    try {
      Set<String> mounted = mountPoints(posix.readFile(process.resolve("mountinfo"), LONGEST));
      for (MountCheck check : checks) {
        if (!mounted.contains(check.destination().latin1())) {
          throw failed(check.destination(), "is not mounted there");
        }
      }
      if (checks.isEmpty()) {
        return;
      }
      int root = posix.open(process.resolve("root"), Constants.O_PATH | Constants.O_DIRECTORY, 0);
      try {
        compare(posix, root, checks);
      } finally {
        posix.close(root);
      }
    } catch (PosixException e) {
      throw new SandboxSetupException(STEP, null, String.valueOf(e.getMessage()), e);
    }
  }

  private static void compare(Posix posix, int root, List<MountCheck> checks) {
    Map<UnixPath, FileStatus> sources = new HashMap<>();
    for (MountCheck check : checks) {
      FileStatus expected = check.identity();
      UnixPath source = check.source();
      if (source != null) {
        expected = sources.computeIfAbsent(source, path -> statusOf(posix, path));
      }
      if (expected == null) {
        continue;
      }
      FileStatus actual = inside(posix, root, check.destination());
      if (actual == null || !actual.isSameFile(expected)) {
        throw failed(check.destination(), "was replaced while the sandbox was made");
      }
    }
  }

  private static FileStatus statusOf(Posix posix, UnixPath path) {
    FileStatus status = posix.lstat(path);
    if (status == null) {
      throw failed(path, "has disappeared");
    }
    return status;
  }

  private static @Nullable FileStatus inside(Posix posix, int root, UnixPath destination) {
    byte[] relative =
        destination.isRoot()
            ? new byte[] {'.'}
            : destination.latin1().substring(1).getBytes(StandardCharsets.ISO_8859_1);
    try {
      int fd =
          posix.openat2(
              root,
              relative,
              Constants.O_PATH | Constants.O_NOFOLLOW,
              0,
              Constants.RESOLVE_BENEATH
                  | Constants.RESOLVE_NO_SYMLINKS
                  | Constants.RESOLVE_NO_MAGICLINKS);
      try {
        return posix.fstat(fd);
      } finally {
        posix.close(fd);
      }
    } catch (PosixException e) {
      return null; // A link on the way, or gone: not what was planned in any case.
    }
  }

  /** The places of all mounts, as Latin-1 text. */
  private static Set<String> mountPoints(byte[] mountinfo) {
    Set<String> points = new HashSet<>();
    for (MountTable.Mount mount : MountTable.parse(mountinfo)) {
      if (mount.isBelow("/oldroot") || mount.isBelow("/newroot")) {
        throw new SandboxSetupException(STEP, "the launcher had not finished at " + mount.point());
      }
      points.add(mount.point());
    }
    return points;
  }

  private static SandboxSetupException failed(UnixPath path, String problem) {
    return new SandboxSetupException(STEP, path.toPath(), problem, null);
  }
}
