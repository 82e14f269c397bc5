package io.zett.sandbox.backend;

import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.rules.Access;
import io.zett.sandbox.rules.PathRule;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What commands meet at real paths, for people who ask before a command does. Immutable; it never
 * touches the disk.
 */
public final class Sight {

  /** What is met at a place and below it, until another place begins. */
  public enum Surface {
    /** The host's files, to be read and written. */
    WRITE,
    /** The host's files, to be read. */
    READ,
    /** The host's files, out of reach. */
    HIDDEN,
    /** Nothing of the host; can be written, and goes with the command. */
    PRIVATE,
    /** Nothing of the host; cannot be written. */
    EMPTY,
    /** What each sandbox has of its own. */
    OWN
  }

  /** What decides about a place. */
  public enum Cause {
    /** The policy's rules. */
    RULES,
    /** A daemon listens there. */
    SOCKET,
    /** A temporary directory of the command's own. */
    SCRATCH,
    /** The private home. */
    HOME,
    /** The system's directory of running daemons. */
    RUNTIME,
    /** The kernel's and its devices' own directories, or what they tell about the machine. */
    KERNEL,
    /** The accounts that commands of root see. */
    ACCOUNTS,
    /** A part of the system that lies in a directory that is emptied. */
    SYSTEM,
    /** Nothing is enforced. */
    NOTHING
  }

  /** A place that differs from the one around it. */
  public record Spot(Surface surface, Cause cause) {}

  /**
   * The answer for one path.
   *
   * @param surface what is met there
   * @param cause what decides
   * @param rule the rule that decides, where rules do; null for the default
   * @param held whether something is kept from coming to be there
   */
  public record Met(Surface surface, Cause cause, @Nullable PathRule rule, boolean held) {}

  private static final Spot READABLE = new Spot(Surface.READ, Cause.RULES);

  private final @Nullable EffectiveRules rules;
  private final Map<UnixPath, Spot> spots;
  private final List<UnixPath> held;
  private final Set<UnixPath> forbidden;

  private Sight(
      @Nullable EffectiveRules rules,
      Map<UnixPath, Spot> spots,
      Collection<UnixPath> held,
      Collection<UnixPath> forbidden) {
    this.rules = rules;
    this.spots = new HashMap<>(spots);
    this.held = List.copyOf(held);
    this.forbidden = Set.copyOf(forbidden);
  }

  /**
   * What a sandbox shows that is built of mounts.
   *
   * @param spots where something else begins; around them all the disk can be read
   * @param held first components that are missing of denied paths; something stands there while a
   *     command runs
   * @param forbidden missing paths that end a command that makes them
   */
  public static Sight ofMounts(
      EffectiveRules rules,
      Map<UnixPath, Spot> spots,
      Collection<UnixPath> held,
      Collection<UnixPath> forbidden) {
    return new Sight(rules, spots, held, forbidden);
  }

  /** What a sandbox shows that lets through and refuses by the rules alone. */
  public static Sight ofRules(EffectiveRules rules) {
    return new Sight(rules, Map.of(), List.of(), List.of());
  }

  /** What is seen without a sandbox. */
  public static Sight unrestricted() {
    return new Sight(null, Map.of(), List.of(), List.of());
  }

  /** What is met at a path without links. */
  public Met at(UnixPath path) {
    EffectiveRules known = rules;
    if (known == null) {
      return new Met(Surface.WRITE, Cause.NOTHING, null, false);
    }
    Spot spot = spot(path);
    PathRule rule = known.rules().deciding(path).orElse(null);
    if (spot.surface == Surface.WRITE && isHeld(path)) {
      Surface kept = surface(known.rules().access(path));
      return kept == Surface.WRITE
          ? new Met(Surface.READ, Cause.RULES, heldFor(known, path), true)
          : new Met(kept, Cause.RULES, rule, true);
    }
    return spot.cause == Cause.RULES
        ? new Met(spot.surface, spot.cause, rule, false)
        : new Met(spot.surface, spot.cause, null, false);
  }

  /**
   * The same for a path that does not exist: nothing is mounted there, and what counts is what the
   * rules say of it.
   */
  public Met atMissing(UnixPath path) {
    Met met = at(path);
    boolean hides =
        rules != null && met.surface == Surface.READ && rules.rules().access(path) == Access.HIDDEN;
    return hides ? new Met(Surface.HIDDEN, met.cause, met.rule, met.held) : met;
  }

  /** Whether something is mounted at or below a path, so that there is at least a directory. */
  public boolean isOnTheWay(UnixPath path) {
    return spots.keySet().stream().anyMatch(spot -> spot.startsWith(path));
  }

  private Spot spot(UnixPath path) {
    for (UnixPath at = path; at != null; at = at.parent()) {
      Spot spot = spots.get(at);
      if (spot != null) {
        return spot;
      }
    }
    if (rules != null && spots.isEmpty()) {
      return new Spot(surface(rules.rules().access(path)), Cause.RULES);
    }
    return READABLE;
  }

  private boolean isHeld(UnixPath path) {
    return forbidden.contains(path) || held.stream().anyMatch(path::startsWith);
  }

  /** On the way to a denied path: that path's rule. */
  private @Nullable PathRule heldFor(EffectiveRules known, UnixPath path) {
    for (EffectiveRules.Point point : known.points()) {
      UnixPath first = point.at().firstMissing();
      if (first != null && path.startsWith(first) && held.contains(first)) {
        return new PathRule(point.path(), point.kind());
      }
    }
    return null;
  }

  private static Surface surface(Access access) {
    return switch (access) {
      case WRITE -> Surface.WRITE;
      case READ -> Surface.READ;
      case HIDDEN -> Surface.HIDDEN;
    };
  }
}
