package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxFileException;
import io.zett.sandbox.SandboxFileException.Reason;
import io.zett.sandbox.backend.EffectiveRules;
import io.zett.sandbox.host.HostView;
import io.zett.sandbox.host.ViewedRule;
import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.rules.Access;
import io.zett.sandbox.rules.PathRule;
import io.zett.sandbox.rules.PathRule.Kind;
import io.zett.sandbox.rules.PathRules;
import io.zett.sandbox.workspace.ConfinedTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the policy says about files, for the host program that uses them in the place of a command:
 * on real paths, on paths as the policy names them, and, for what has been renamed or linked
 * meanwhile, on files themselves. Immutable.
 */
final class FileRules {
  private final PathRules rules;
  private final List<PathRule> denials;
  private final Map<Identity, UnixPath> denied;

  private record Identity(long device, long inode) {
    static Identity of(FileStatus status) {
      return new Identity(status.dev(), status.ino());
    }
  }

  FileRules(HostView view, EffectiveRules effective) {
    List<PathRule> all = new ArrayList<>(effective.rules().rules());
    for (ViewedRule rule : view.rules()) {
      if (rule.kind() != Kind.WRITABLE) {
        all.add(new PathRule(rule.given(), rule.kind()));
      }
    }
    // Something is mounted over these while a command runs; replacing them would take it away.
    effective.pinned().forEach(file -> all.add(new PathRule(file, Kind.DENY_WRITE)));
    effective.replaceable().forEach(link -> all.add(new PathRule(link, Kind.DENY_WRITE)));
    rules = PathRules.of(all);
    denials = rules.rules().stream().filter(rule -> denies(rule.kind())).toList();
    denied = new HashMap<>();
    for (EffectiveRules.Point point : effective.points()) {
      FileStatus status = point.at().status();
      // An inode number 0 stands for a directory of the session's own, never reached from here.
      if (status != null && status.ino() != 0 && denies(point.kind())) {
        denied.put(Identity.of(status), point.path());
      }
    }
  }

  private static boolean denies(Kind kind) {
    return kind != Kind.WRITABLE && kind != Kind.ALLOW_READ;
  }

  /** What may be done with a path. */
  Access access(UnixPath path) {
    return rules.access(path);
  }

  /** Refuses to read what is hidden. */
  void requireRead(InnerPath path) throws SandboxFileException {
    if (access(path.full()) == Access.HIDDEN) {
      throw refusal(path, path.full());
    }
  }

  /** Refuses to put, replace or remove what may not be written, or holds such a thing. */
  void requireWrite(InnerPath path) throws SandboxFileException {
    if (access(path.full()) != Access.WRITE) {
      throw refusal(path, path.full());
    }
    for (PathRule rule : denials) {
      if (rule.path().startsWith(path.full())) {
        throw new SandboxFileException(
            path.shown(),
            Reason.DENIED,
            "the policy denies " + rule.path() + " in it (" + option(rule.kind()) + "); leave it",
            null);
      }
    }
  }

  /** Looks at what is really reached on the way to a path. */
  ConfinedTree.Guard guard(InnerPath path, boolean writing) {
    return new ConfinedTree.Guard() {
      @Override
      public void reached(int depth, FileStatus status) {
        UnixPath rule = denied.get(Identity.of(status));
        if (rule == null) {
          return;
        }
        UnixPath here = path.prefix(depth);
        Access there = access(rule);
        boolean refused = there == Access.HIDDEN || (writing && there == Access.READ);
        if (refused && !here.equals(rule)) {
          throw new DeniedFile(refusal(path, rule));
        }
      }

      @Override
      public void making(int depth) {
        if (access(path.prefix(depth)) != Access.WRITE) {
          throw new DeniedFile(refusal(path, path.prefix(depth)));
        }
      }
    };
  }

  private SandboxFileException refusal(InnerPath path, UnixPath place) {
    @Nullable PathRule rule = rules.deciding(place).orElse(null);
    String what =
        access(place) == Access.HIDDEN
            ? "the policy hides it"
            : "the policy keeps it from being written";
    String why = rule == null ? "" : " (" + option(rule.kind()) + ": " + rule.path() + ")";
    return new SandboxFileException(
        path.shown(), Reason.DENIED, what + why + "; name another path", null);
  }

  private static String option(Kind kind) {
    return switch (kind) {
      case DENY_READ -> "denyRead";
      case DENY_WRITE -> "denyWrite";
      case DEVELOPER_FILE -> "protectDeveloperFiles";
      case CREDENTIAL -> "the list of credentials";
      case ALLOW_READ -> "allowRead";
      case WRITABLE -> "writable";
    };
  }

  /** Carries a refusal through the tree. */
  static final class DeniedFile extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient SandboxFileException refusal;

    DeniedFile(SandboxFileException refusal) {
      super(refusal.getMessage(), refusal);
      this.refusal = refusal;
    }

    SandboxFileException refusal() {
      return refusal;
    }
  }
}
