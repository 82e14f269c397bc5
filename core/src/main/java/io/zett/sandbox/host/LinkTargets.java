package io.zett.sandbox.host;

import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.rules.PathRule.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What denied paths meant when the sandbox was opened, where they lead through links that commands
 * can replace.
 *
 * <p>A command may move such a link away; then the path of the rule leads nowhere, and what the
 * link named would lie open to the next command. It stays denied. Only the first look counts: later
 * links may be a command's own, and would hide what it chooses. Thread-safe.
 */
final class LinkTargets {
  private record Target(UnixPath real, Kind kind) {}

  private final AtomicReference<@Nullable List<Target>> first = new AtomicReference<>();

  /** Remembers the first view's targets, and adds to a later view those that it has lost. */
  void keepIn(PathWalk walk, List<ViewedRule> rules) {
    List<Target> targets = first.get();
    if (targets == null) {
      first.compareAndSet(null, of(rules));
      return;
    }
    for (Target target : targets) {
      boolean lost =
          rules.stream()
              .noneMatch(
                  rule -> rule.kind() == target.kind() && rule.at().real().equals(target.real()));
      if (lost) {
        rules.add(new ViewedRule(target.real(), target.kind(), walk.resolve(target.real())));
      }
    }
  }

  private static List<Target> of(List<ViewedRule> rules) {
    List<Target> targets = new ArrayList<>();
    for (ViewedRule rule : rules) {
      boolean denies = rule.kind() != Kind.WRITABLE && rule.kind() != Kind.ALLOW_READ;
      if (denies && rule.at().replaceable() && rule.at().exists()) {
        targets.add(new Target(rule.at().real(), rule.kind()));
      }
    }
    return List.copyOf(targets);
  }
}
