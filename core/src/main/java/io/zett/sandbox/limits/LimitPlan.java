package io.zett.sandbox.limits;

import io.zett.sandbox.Enforcement;
import io.zett.sandbox.Limit;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.posix.Errno;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.ResourceLimit;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * How the limits of one policy are kept on this machine, for this user: made when a sandbox is
 * opened, and from then on the maker of each command's {@link LimitGroup}. Thread-safe.
 */
public final class LimitPlan implements AutoCloseable {
  private static final int ATTEMPTS = 3;
  private static final AtomicInteger NEXT_PROCESSOR = new AtomicInteger();

  private final Posix posix;
  private final Budget budget;
  private final Choices choices;
  private final @Nullable SessionGroups session;
  private final @Nullable SpareGroups groups;

  private LimitPlan(
      Posix posix,
      Budget budget,
      Choices choices,
      @Nullable SessionGroups session,
      @Nullable SpareGroups groups) {
    this.posix = posix;
    this.budget = budget;
    this.choices = choices;
    this.session = session;
    this.groups = groups;
  }

  /** What would enforce the policy's limits, without making anything that stays. */
  public static Map<Limit, Enforcement> report(
      Posix posix, SandboxPolicy policy, LimitSurroundings around) {
    return Choices.make(policy, around, sites(posix, around)).enforcements();
  }

  /**
   * Makes the sandbox's control groups, where they are used, and removes those of dead owners.
   *
   * @param keepers starts a process that keeps a systemd scope alive, where one is needed
   * @throws UnavailableStrategy if the policy forces a strategy that this machine does not have
   */
  public static LimitPlan open(
      Posix posix, SandboxPolicy policy, LimitSurroundings around, Keepers keepers) {
    for (int attempt = 1; ; attempt++) {
      try {
        return openOnce(posix, policy, around, keepers);
      } catch (PosixException e) {
        // Between the look and the use systemd may take a controller away from a slice of its own,
        // when the last unit that wanted it ends; afterwards the kernel does not let it.
        if (e.errno() != Errno.ENOENT || attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private static LimitPlan openOnce(
      Posix posix, SandboxPolicy policy, LimitSurroundings around, Keepers keepers) {
    GroupSites sites = sites(posix, around);
    Choices choices = Choices.make(policy, around, sites);
    choices.refuseWhatWasForcedInVain();
    Budget budget = Budget.of(policy);
    Set<Controller> needed = needed(budget, choices);
    Scope scope = null;
    if (!sites.places().keySet().containsAll(needed)) {
      try {
        scope = sites.scope().orElseThrow().open(posix, keepers);
        sites = sites.in(scope.directory());
      } catch (BusException | PosixException e) {
        if (e instanceof PosixException refused) {
          refused.throwIfShortage();
        }
        sites = sites.withoutScope(String.valueOf(e.getMessage()));
        choices = Choices.make(policy, around, sites);
        choices.refuseWhatWasForcedInVain();
        needed = needed(budget, choices);
      }
    }
    try {
      if (needed.isEmpty()) {
        SessionGroups.sweep(posix, sites);
        return new LimitPlan(posix, budget, choices, null, null);
      }
      SessionGroups session = SessionGroups.open(posix, sites, needed, scope);
      return new LimitPlan(
          posix, budget, choices, session, spare(posix, sites, session, budget, needed));
    } catch (PosixException e) {
      if (scope != null) {
        scope.close();
      }
      throw e;
    }
  }

  private static SpareGroups spare(
      Posix posix, GroupSites sites, SessionGroups session, Budget budget, Set<Controller> used) {
    List<Controller> each = List.copyOf(used);
    return new SpareGroups(() -> CommandGroups.open(posix, sites, session, budget, each));
  }

  private static Set<Controller> needed(Budget budget, Choices choices) {
    Set<Controller> needed = EnumSet.noneOf(Controller.class);
    for (Controller controller : Controller.all()) {
      if (budget.asksFor(controller.limit()) && choices.usesGroup(controller.limit())) {
        needed.add(controller);
      }
    }
    return needed;
  }

  private static GroupSites sites(Posix posix, LimitSurroundings around) {
    return around.controlGroups()
        ? GroupSites.find(posix)
        : GroupSites.none("control groups are not used here");
  }

  /** How each limit is enforced, set by the policy or not. */
  public Map<Limit, Enforcement> enforcements() {
    return choices.enforcements();
  }

  /** The limits of a command that is about to start. */
  public LimitGroup begin() {
    Set<Limit> watched = EnumSet.noneOf(Limit.class);
    Set<Limit> byRlimit = EnumSet.noneOf(Limit.class);
    for (Controller controller : Controller.all()) {
      Limit limit = controller.limit();
      if (!budget.asksFor(limit)) {
        continue;
      }
      if (choices.isWatched(limit)) {
        watched.add(limit);
      }
      if (choices.usesResourceLimit(limit)) {
        byRlimit.add(limit);
      }
    }
    Map<Integer, ResourceLimit> resourceLimits =
        ResourceLimits.of(
            budget,
            byRlimit,
            choices.usesGroup(Limit.CPU_SECONDS) || choices.isWatched(Limit.CPU_SECONDS),
            resource -> posix.getrlimit(0, resource));
    BitSet processors = processors();
    // Last: what has been taken must be given back.
    if (groups == null) {
      return new LimitGroup(
          posix,
          budget,
          watched,
          choices.hasPidNamespace(),
          resourceLimits,
          null,
          CommandGroups::close,
          processors);
    }
    return new LimitGroup(
        posix,
        budget,
        watched,
        choices.hasPidNamespace(),
        resourceLimits,
        groups.take(),
        groups::giveBack,
        processors);
  }

  /**
   * With a bound of n cores the command is also kept to n processors (rounded up), so that programs
   * that ask how many there are get an honest answer. Sandboxes take turns at which ones.
   */
  private @Nullable BitSet processors() {
    if (budget.cpus().isEmpty() || !choices.usesGroup(Limit.CPUS)) {
      return null;
    }
    BitSet allowed = posix.processors(0);
    double cores = Math.ceil(budget.cpus().getAsDouble());
    if (cores >= allowed.cardinality()) {
      return null;
    }
    int[] each = allowed.stream().toArray();
    int first = Math.floorMod(NEXT_PROCESSOR.getAndAdd((int) cores), each.length);
    BitSet some = new BitSet();
    for (int i = 0; i < (int) cores; i++) {
      some.set(each[(first + i) % each.length]);
    }
    return some;
  }

  @Override
  public void close() {
    if (groups != null) {
      groups.close();
    }
    if (session != null) {
      session.close();
    }
  }
}
