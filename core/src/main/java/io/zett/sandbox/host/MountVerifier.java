package io.zett.sandbox.host;

import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.FilesBelow;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Compares finished sandboxes, in which nothing runs yet, with what was planned.
 *
 * <p>bubblewrap takes paths, and a directory may be replaced by a link between the look and the
 * mount. So every destination must be a mount at exactly its path, and what is reached there must
 * be the root of that mount and the very file that was seen: whoever gets there through a link gets
 * into another mount. Thread-safe.
 */
public final class MountVerifier {

  private static final String STEP = "checking the sandbox";

  private final Posix posix;
  private final List<MountCheck> checks;
  private final FilesBelow destinations;
  private final @Nullable FileStatus[] expected;
  private final MountPoints mounts;

  /**
   * A verifier for all sandboxes of a plan.
   *
   * @throws SandboxSetupException if one of the session's own files is gone
   */
  public MountVerifier(Posix posix, List<MountCheck> checks) {
    this.posix = posix;
    this.checks = List.copyOf(checks);
    this.mounts = new MountPoints(posix);
    this.expected = new FileStatus[checks.size()];
    List<byte[]> names = new ArrayList<>();
    Map<UnixPath, FileStatus> sources = new HashMap<>();
    for (int i = 0; i < expected.length; i++) {
      MountCheck check = checks.get(i);
      names.add(relative(check.destination()));
      UnixPath source = check.source();
      expected[i] =
          source == null ? check.identity() : sources.computeIfAbsent(source, this::statusOf);
    }
    this.destinations = posix.below(names);
  }

  /**
   * Looks at the sandbox of a process that has not begun its command.
   *
   * @param pid a process of the sandbox, which the caller may inspect
   * @throws SandboxSetupException if anything differs; the command must not start then
   */
  public void verify(int pid) {
    UnixPath process = UnixPath.ofText("/proc/" + pid);
    try {
      int root = posix.open(process.resolve("root"), Constants.O_PATH | Constants.O_DIRECTORY, 0);
      try {
        long[] found = new long[FilesBelow.FIELDS * expected.length];
        synchronized (mounts) {
          mounts.readAndCheck(process, STEP);
          destinations.look(root, found);
          for (int i = 0; i < expected.length; i++) {
            compare(root, i, found);
          }
        }
      } finally {
        posix.close(root);
      }
    } catch (PosixException e) {
      throw new SandboxSetupException(STEP, null, String.valueOf(e.getMessage()), e);
    }
  }

  private void compare(int root, int index, long[] found) {
    UnixPath destination = checks.get(index).destination();
    FileStatus wanted = expected[index];
    if (wanted == null) {
      if (!mounts.isPoint(destination.latin1())) {
        throw failed(destination, "is not mounted there");
      }
      return;
    }
    int at = FilesBelow.FIELDS * index;
    long mount = found[at + 2];
    boolean reached =
        mount == 0
            ? mounts.isPoint(destination.latin1()) && isReachedWithoutLinks(root, destination)
            : mounts.isPoint(destination.latin1(), mount);
    if (!reached) {
      throw failed(
          destination,
          mounts.isPoint(destination.latin1())
              ? "was replaced while the sandbox was made"
              : "is not mounted there");
    }
    if (found[at] != wanted.dev() || found[at + 1] != wanted.ino()) {
      throw failed(destination, "was replaced while the sandbox was made");
    }
  }

  private FileStatus statusOf(UnixPath path) {
    FileStatus status = posix.lstat(path);
    if (status == null) {
      throw failed(path, "has disappeared");
    }
    return status;
  }

  /** For kernels before 5.8, which do not tell the mount. */
  private boolean isReachedWithoutLinks(int root, UnixPath destination) {
    try {
      posix.close(
          posix.openat2(
              root,
              relative(destination),
              Constants.O_PATH | Constants.O_NOFOLLOW,
              0,
              Constants.RESOLVE_BENEATH
                  | Constants.RESOLVE_NO_SYMLINKS
                  | Constants.RESOLVE_NO_MAGICLINKS));
      return true;
    } catch (PosixException e) {
      e.throwIfShortage();
      return false; // A link on the way, or gone: not what was planned in any case.
    }
  }

  private static byte[] relative(UnixPath destination) {
    return destination.isRoot()
        ? new byte[] {'.'}
        : destination.latin1().substring(1).getBytes(StandardCharsets.ISO_8859_1);
  }

  private static SandboxSetupException failed(UnixPath path, String problem) {
    return new SandboxSetupException(STEP, path.toPath(), problem, null);
  }
}
