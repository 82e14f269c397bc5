package io.zett.sandbox.faults;

import io.zett.sandbox.faults.FaultSource.Candidate;
import io.zett.sandbox.faults.FaultSource.Fault;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Which of the recorded calls are refused, and with what.
 *
 * <p>The short form has each kind of call at least once. At which place and with which error is
 * another matter in each scenario and on each day, so that all have their turn; {@code
 * -Dzett.test.faults.seed=N} is the N-th day since 1970. {@code -Dzett.test.faults=all} takes every
 * call with every error.
 */
public final class FaultSelection {
  private static final boolean ALL = "all".equals(System.getProperty("zett.test.faults"));
  private static final int SHORTEST = Integer.getInteger("zett.test.faults.sample", 25);
  private static final long SEED =
      Long.getLong("zett.test.faults.seed", LocalDate.now(ZoneOffset.UTC).toEpochDay());

  private final List<Fault> faults;
  private final int outOf;

  /** Of a scenario's calls, as the system properties say. */
  public FaultSelection(String scenario, List<Candidate> calls) {
    List<Fault> all = new ArrayList<>();
    for (Candidate call : calls) {
      for (int errno : call.refusals()) {
        all.add(new Fault(call.site(), call.nth(), errno));
      }
    }
    outOf = all.size();
    faults =
        ALL ? all : sample(all, SHORTEST, new Random(SEED ^ ((long) scenario.hashCode() << 32)));
  }

  /** One after the other. */
  public List<Fault> faults() {
    return faults;
  }

  /** Each kind of call, and more to make up the number. */
  static List<Fault> sample(List<Fault> all, int shortest, Random random) {
    List<Fault> mixed = mixed(all, random);
    Set<String> kinds = new HashSet<>();
    List<Fault> some = new ArrayList<>();
    List<Fault> others = new ArrayList<>();
    for (Fault fault : mixed) {
      (kinds.add(fault.site().call()) ? some : others).add(fault);
    }
    int more = Math.clamp((long) shortest - some.size(), 0, others.size());
    some.addAll(others.subList(0, more));
    return some;
  }

  /** In any order, but all places once before one a second time: some make thousands of calls. */
  private static List<Fault> mixed(List<Fault> all, Random random) {
    Map<String, List<Fault>> places =
        all.stream()
            .collect(
                Collectors.groupingBy(
                    fault -> fault.site().toString(), TreeMap::new, Collectors.toList()));
    record Turn(int round, Fault fault) {}
    List<List<Fault>> shuffled = new ArrayList<>(places.values());
    Collections.shuffle(shuffled, random);
    List<Turn> turns = new ArrayList<>();
    for (List<Fault> place : shuffled) {
      Collections.shuffle(place, random);
      for (int round = 0; round < place.size(); round++) {
        turns.add(new Turn(round, place.get(round)));
      }
    }
    turns.sort(Comparator.comparingInt(Turn::round));
    return turns.stream().map(Turn::fault).toList();
  }

  @Override
  public String toString() {
    long calls = faults.stream().map(fault -> fault.site().call()).distinct().count();
    String seed = ALL ? "" : ", -Dzett.test.faults.seed=" + SEED;
    return faults.size() + " of " + outOf + " faults, " + calls + " kinds of calls" + seed;
  }
}
