package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.backend.Backend;
import io.zett.sandbox.backend.EffectiveRules;
import io.zett.sandbox.backend.Launch;
import io.zett.sandbox.backend.LaunchRequest;
import io.zett.sandbox.backend.SessionFiles;
import io.zett.sandbox.backend.Sight;
import io.zett.sandbox.host.HostView;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Plans launches, and keeps the last plan for as long as what it was made from is the same: a
 * backend is a pure function. Thread-safe.
 */
final class Plans implements AutoCloseable {
  private final Posix posix;
  private final SandboxPolicy policy;
  private final Backend backend;
  private final SessionFiles files;
  private @Nullable Plan last;
  private boolean closed;

  Plans(Posix posix, SandboxPolicy policy, Backend backend, SessionFiles files) {
    this.posix = posix;
    this.policy = policy;
    this.backend = backend;
    this.files = files;
  }

  /**
   * The plan for what is on the disk; if it asks for placeholders it is not to be started.
   *
   * @param held what stands at denied paths that do not exist
   * @throws io.zett.sandbox.SandboxSetupException if the policy cannot be kept on this disk
   */
  Plan plan(HostView view, Set<UnixPath> held) {
    Plan known;
    synchronized (this) {
      known = last;
    }
    if (known != null && known.isFrom(view, held)) {
      return known;
    }
    Launch launch = backend.prepare(new LaunchRequest(policy, view, files, held));
    Plan made = new Plan(posix, view, held, launch);
    if (launch.placeholders().isEmpty()) {
      keep(made);
    }
    return made;
  }

  /** The policy's rules on what is on the disk. */
  EffectiveRules rules(HostView view) {
    return EffectiveRules.of(new LaunchRequest(policy, view, files, Set.of()));
  }

  /** What commands meet on the disk. */
  Sight sight(HostView view) {
    return backend.sight(new LaunchRequest(policy, view, files, Set.of()));
  }

  /**
   * The last plan, for what was on the disk then; null unless it needs nothing at denied paths that
   * do not exist.
   */
  synchronized @Nullable Plan last() {
    Plan known = last;
    return known == null || known.holdsPlaceholders() ? null : known;
  }

  private void keep(Plan made) {
    Plan before;
    synchronized (this) {
      before = closed ? made : last;
      last = closed ? null : made;
    }
    if (before != null) {
      before.close();
    }
  }

  @Override
  public void close() {
    Plan left;
    synchronized (this) {
      closed = true;
      left = last;
      last = null;
    }
    if (left != null) {
      left.close();
    }
  }
}
