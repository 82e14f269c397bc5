package io.zett.sandbox.backend;

import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.rules.Access;
import io.zett.sandbox.rules.PathRule;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
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
  private final Function<UnixPath, Spot> spots;
  private final Set<UnixPath> places;
  private final List<UnixPath> held;
  private final Set<UnixPath> forbidden;

  private Sight(
      @Nullable EffectiveRules rules,
      Function<UnixPath, Spot> spots,
      Set<UnixPath> places,
      Collection<UnixPath> held,
      Collection<UnixPath> forbidden) {
    this.rules = rules;
    this.spots = spots;
    this.places = Set.copyOf(places);
    this.held = List.copyOf(held);
    this.forbidden = Set.copyOf(forbidden);
  }

  /**
   * What a sandbox shows that is built of mounts.
   *
   * @param mounts where something else begins; around them all the disk can be read
   * @param held first components that are missing of denied paths; something stands there while a
   *     command runs
   * @param forbidden missing paths that end a command that makes them
   */
  public static Sight ofMounts(
      EffectiveRules rules,
      Map<UnixPath, Spot> mounts,
      Collection<UnixPath> held,
      Collection<UnixPath> forbidden) {
    Map<UnixPath, Spot> copy = Map.copyOf(mounts);
    return new Sight(rules, path -> enclosing(copy, path), copy.keySet(), held, forbidden);
  }

  /**
   * What a sandbox shows that lets through and refuses by rules, and stands nothing in its place.
   *
   * @param spots what is met at each path
   * @param places directories that the sandbox has made
   * @param held first components that are missing of denied paths; they cannot be made
   */
  public static Sight ofRules(
      EffectiveRules rules,
      Function<UnixPath, Spot> spots,
      Set<UnixPath> places,
      Collection<UnixPath> held) {
    return new Sight(rules, spots, places, held, List.of());
  }

  /** What is seen without a sandbox. */
  public static Sight unrestricted() {
    return new Sight(null, _ -> READABLE, Set.of(), List.of(), List.of());
  }

  private static Spot enclosing(Map<UnixPath, Spot> mounts, UnixPath path) {
    for (UnixPath at = path; at != null; at = at.parent()) {
      Spot spot = mounts.get(at);
      if (spot != null) {
        return spot;
      }
    }
    return READABLE;
  }

  /** What is met at a path without links. */
  public Met at(UnixPath path) {
    EffectiveRules known = rules;
    if (known == null) {
      return new Met(Surface.WRITE, Cause.NOTHING, null, false);
    }
    Spot spot = spots.apply(path);
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
    return places.stream().anyMatch(place -> place.startsWith(path));
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
