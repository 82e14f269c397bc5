package io.zett.sandbox.engine;

import io.zett.sandbox.backend.Launch;
import io.zett.sandbox.host.HostView;
import io.zett.sandbox.host.MountVerifier;
import io.zett.sandbox.posix.Constants;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.LaunchDescriptors;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.process.Inherited;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A launch with what it was planned from and the files that each start of it reads. Thread-safe.
 */
final class Plan implements AutoCloseable {
  private static final String OWN_DESCRIPTORS = "/proc/self/fd/";
  private static final int NONE = -1;

  private final Posix posix;
  private final HostView view;
  private final Set<UnixPath> placeholders;
  private final Launch launch;
  private final Map<UnixPath, FileStatus> vanishing;
  private final MountVerifier verifier;
  private int seccomp = NONE;
  private int arguments = NONE;
  private boolean closed;

  Plan(Posix posix, HostView view, Set<UnixPath> placeholders, Launch launch) {
    this.posix = posix;
    this.view = view;
    this.placeholders = Set.copyOf(placeholders);
    this.launch = launch;
    this.vanishing = VanishingPaths.candidates(view, placeholders);
    this.verifier = new MountVerifier(posix, launch.checks());
  }

  /** Whether a launch planned from these would be the same. */
  boolean isFrom(HostView otherView, Set<UnixPath> otherPlaceholders) {
    return isFrom(otherView) && placeholders.equals(otherPlaceholders);
  }

  /** The same for whoever holds the placeholders of this plan. */
  @SuppressWarnings("ReferenceEquality") // A survey that finds nothing new gives the same view.
  boolean isFrom(HostView otherView) {
    return view == otherView;
  }

  /** What it was made from. */
  HostView view() {
    return view;
  }

  /** Whether it counts on something that stands at a denied path. */
  boolean holdsPlaceholders() {
    return !placeholders.isEmpty();
  }

  Launch launch() {
    return launch;
  }

  /** Looks at a sandbox that was built by it. */
  MountVerifier verifier() {
    return verifier;
  }

  /** Denied files that the host might remove before they are mounted over. */
  Map<UnixPath, FileStatus> vanishing() {
    return vanishing;
  }

  /**
   * The launcher's arguments and its seccomp program, for one start; its supervisor closes them.
   *
   * @throws PosixException if they cannot be made; then nothing is left open
   */
  synchronized List<Inherited> files() {
    List<Inherited> files = new ArrayList<>(2);
    try {
      byte[] program = launch.seccomp();
      if (program != null) {
        seccomp = closed ? NONE : sealed(seccomp, "seccomp", program);
        files.add(own(seccomp, "seccomp", program, LaunchDescriptors.SECCOMP));
      }
      byte[] words = launch.arguments();
      if (words != null) {
        arguments = closed ? NONE : sealed(arguments, "arguments", words);
        files.add(own(arguments, "arguments", words, LaunchDescriptors.ARGUMENTS));
      }
      return files;
    } catch (PosixException e) {
      files.forEach(file -> posix.close(file.source()));
      throw e;
    }
  }

  private int sealed(int made, String name, byte[] content) {
    return made == NONE ? posix.sealedFile(name, content, false) : made;
  }

  /** A launcher reads from where its descriptor stands, so each gets one of its own. */
  private Inherited own(int made, String name, byte[] content, int target) {
    int fd =
        made == NONE
            ? posix.sealedFile(name, content, false)
            : posix.open(UnixPath.ofText(OWN_DESCRIPTORS + made), Constants.O_RDONLY, 0);
    return new Inherited(fd, target, true);
  }

  /** Lets go of the files; starts that are still to come make their own. */
  @Override
  public synchronized void close() {
    closed = true;
    for (int file : new int[] {seccomp, arguments}) {
      if (file != NONE) {
        posix.close(file);
      }
    }
    seccomp = NONE;
    arguments = NONE;
  }
}
