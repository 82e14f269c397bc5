package io.zett.sandbox.engine;

import io.zett.sandbox.PathExplanation;
import io.zett.sandbox.PathExplanation.Access;
import io.zett.sandbox.PathExplanation.Presence;
import io.zett.sandbox.PathExplanation.Reason;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.backend.Sight;
import io.zett.sandbox.backend.Sight.Surface;
import io.zett.sandbox.host.HostView;
import io.zett.sandbox.host.ViewedRule;
import io.zett.sandbox.posix.DiskCalls;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.rules.PathRule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What commands of a sandbox would meet at paths, in the words of its policy. */
final class Explanations {
  private final HostView view;
  private final InsideWalk walk;

  private Explanations(HostView view, InsideWalk walk) {
    this.view = view;
    this.walk = walk;
  }

  static List<PathExplanation> of(Opened opened, List<Path> paths) {
    try {
      HostView view = opened.survey().look();
      return of(view, opened.posix(), opened.plans().sight(view), paths);
    } catch (PosixException e) {
      throw new SandboxSetupException("explaining the policy", null, Shortage.explained(e), e);
    }
  }

  /** The same for a sandbox that is built otherwise. */
  static List<PathExplanation> of(HostView view, DiskCalls disk, Sight sight, List<Path> paths) {
    try {
      InsideWalk walk = new InsideWalk(disk, sight);
      Explanations explanations = new Explanations(view, walk);
      List<PathExplanation> all = new ArrayList<>(paths.size());
      for (Path path : paths) {
        all.add(explanations.explain(path));
      }
      return List.copyOf(all);
    } catch (PosixException e) {
      throw new SandboxSetupException("explaining the policy", null, Shortage.explained(e), e);
    }
  }

  private PathExplanation explain(Path path) {
    InsideWalk.Place place = walk.follow(path);
    Sight.Met met = place.met();
    PathRule rule = met.rule();
    return new PathExplanation(
        path,
        place.real().toPath(),
        access(met.surface()),
        met.held() && place.presence() == Presence.MISSING ? Presence.HELD : place.presence(),
        reason(met),
        rule == null ? Optional.empty() : Optional.of(given(rule)));
  }

  private static Access access(Surface surface) {
    return switch (surface) {
      case WRITE -> Access.WRITE;
      case READ -> Access.READ;
      case HIDDEN -> Access.HIDDEN;
      case PRIVATE -> Access.PRIVATE;
      case EMPTY -> Access.EMPTY;
      case OWN -> Access.OWN;
    };
  }

  private Reason reason(Sight.Met met) {
    return switch (met.cause()) {
      case RULES -> met.rule() == null ? Reason.DEFAULT : reason(met.rule());
      case SOCKET -> Reason.SOCKET;
      case SCRATCH -> Reason.SCRATCH;
      case HOME -> Reason.PRIVATE_HOME;
      case RUNTIME -> Reason.RUNTIME;
      case KERNEL -> Reason.KERNEL;
      case ACCOUNTS -> Reason.ACCOUNTS;
      case SYSTEM -> Reason.SYSTEM;
      case NOTHING -> Reason.UNISOLATED;
    };
  }

  private Reason reason(PathRule rule) {
    return switch (rule.kind()) {
      case WRITABLE -> rule.path().equals(view.workspace()) ? Reason.WORKSPACE : Reason.WRITABLE;
      case DENY_WRITE -> Reason.DENY_WRITE;
      case DENY_READ -> Reason.DENY_READ;
      case ALLOW_READ -> Reason.ALLOW_READ;
      case CREDENTIAL -> Reason.CREDENTIALS;
      case DEVELOPER_FILE -> Reason.DEVELOPER_FILES;
    };
  }

  /** The path as the policy has it, which may be that of a link. */
  private Path given(PathRule rule) {
    for (ViewedRule viewed : view.rules()) {
      boolean leadsThere =
          viewed.at().real().equals(rule.path()) || rule.path().equals(viewed.at().obstacle());
      if (viewed.kind() == rule.kind() && leadsThere) {
        return viewed.given().toPath();
      }
    }
    return rule.path().toPath();
  }
}
