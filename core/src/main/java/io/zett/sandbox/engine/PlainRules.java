package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxFileException;
import io.zett.sandbox.SandboxFileException.Reason;
import io.zett.sandbox.SandboxPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What a policy says of paths in a workspace, by their names. Immutable, thread-safe. */
final class PlainRules {

  /** What a rule does; of two for one path the later one counts. */
  private enum Effect {
    WRITABLE,
    ALLOW_READ,
    DENY_WRITE,
    DENY_READ
  }

  private record Rule(Path path, Effect effect) {}

  private final List<Rule> rules = new ArrayList<>();
  private final List<Path> written = new ArrayList<>();

  PlainRules(SandboxPolicy policy, Path workspace) {
    rules.add(new Rule(workspace, Effect.WRITABLE));
    written.add(workspace);
    written.addAll(policy.writable());
    policy.allowRead().forEach(path -> add(path, Effect.ALLOW_READ));
    policy.denyWrite().forEach(path -> add(path, Effect.DENY_WRITE));
    policy.denyRead().forEach(path -> add(path, Effect.DENY_READ));
    // The longest path decides, and on equal ones denying.
    rules.sort(
        Comparator.comparingInt((Rule rule) -> rule.path.getNameCount())
            .thenComparing(Rule::effect)
            .reversed());
  }

  private void add(Path path, Effect effect) {
    rules.add(new Rule(path.toAbsolutePath().normalize(), effect));
  }

  private Effect effect(Path path) {
    return rules.stream()
        .filter(rule -> path.startsWith(rule.path))
        .findFirst()
        .map(Rule::effect)
        .orElse(Effect.DENY_WRITE);
  }

  boolean isHidden(Path path) {
    return effect(path) == Effect.DENY_READ;
  }

  /** Whether a path of the host is not where commands write. */
  boolean isOutside(Path path) {
    return written.stream().noneMatch(path::startsWith);
  }

  /** Refuses what is denied. */
  void require(Path path, boolean writes, String shown) throws SandboxFileException {
    if (isHidden(path) || (writes && effect(path) == Effect.DENY_WRITE)) {
      throw denied(shown, "the policy denies it; leave it");
    }
    for (Rule rule : rules) {
      boolean denies = rule.effect == Effect.DENY_READ || rule.effect == Effect.DENY_WRITE;
      if (writes && denies && rule.path.startsWith(path)) {
        throw denied(shown, "the policy denies " + rule.path + " in it; leave it");
      }
    }
  }

  private static SandboxFileException denied(String shown, String problem) {
    return new SandboxFileException(shown, Reason.DENIED, problem, null);
  }
}
