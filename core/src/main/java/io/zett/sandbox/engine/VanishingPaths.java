package io.zett.sandbox.engine;

import io.zett.sandbox.host.HostView;
import io.zett.sandbox.host.ViewedRule;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.rules.PathRule.Kind;
import io.zett.sandbox.workspace.Placeholder;
import io.zett.sandbox.workspace.Placeholders;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Denied files that were there when one looked. If the host removes one before it is mounted over,
 * bubblewrap makes an empty file in its place and leaves it there; such a file is taken over as a
 * placeholder, so that it goes away with the command. Not thread-safe.
 */
final class VanishingPaths {
  /** The kernel stamps files with the time of its last tick, at most 10 ms ago. */
  private static final long TICK_NANOS = 20_000_000L;

  private final Placeholders placeholders;
  private final Map<UnixPath, FileStatus> existing;
  private final long sinceNanos;

  private VanishingPaths(
      Placeholders placeholders, Map<UnixPath, FileStatus> existing, long sinceNanos) {
    this.placeholders = placeholders;
    this.existing = existing;
    this.sinceNanos = sinceNanos;
  }

  /** The time of a look that begins now. */
  static long now() {
    return System.currentTimeMillis() * 1_000_000L - TICK_NANOS;
  }

  /**
   * Those of a look.
   *
   * @param existing its {@link #candidates}
   * @param sinceNanos when the look began
   */
  static VanishingPaths of(
      Placeholders placeholders, Map<UnixPath, FileStatus> existing, long sinceNanos) {
    return new VanishingPaths(placeholders, existing, sinceNanos);
  }

  /**
   * Denied files in directories that commands may write.
   *
   * @param held what is held as a placeholder already
   */
  static Map<UnixPath, FileStatus> candidates(HostView view, Set<UnixPath> held) {
    Map<UnixPath, FileStatus> existing = new HashMap<>();
    for (ViewedRule rule : view.rules()) {
      boolean denied = rule.kind() == Kind.DENY_READ || rule.kind() == Kind.CREDENTIAL;
      UnixPath real = rule.at().real();
      FileStatus status = view.seen().get(real);
      if (denied && status != null && status.isRegular() && !held.contains(real)) {
        existing.put(real, status);
      }
    }
    return Map.copyOf(existing);
  }

  /** Takes over what the launcher has made. */
  List<Placeholder> takeOver() {
    List<Placeholder> taken = new ArrayList<>();
    existing.forEach(
        (path, before) -> {
          try {
            placeholders.takeOver(path, before, sinceNanos).ifPresent(taken::add);
          } catch (PosixException e) {
            // Its folder is gone or closed: then the file is no concern of the next command either.
          }
        });
    return taken;
  }
}
