package io.zett.sandbox.backend.seatbelt;

import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.rules.Boundary;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

/**
 * A tree of paths where something is allowed, without the trees in it where it is not. Regions of a
 * policy do not overlap, so nothing depends on which of two rules counts.
 *
 * @param root the top
 * @param without the tops of what is left out, each below the root and none below another
 */
record Region(UnixPath root, List<UnixPath> without) {

  Region {
    without = List.copyOf(without);
  }

  private record Open(UnixPath path, boolean allowed, List<UnixPath> without) {}

  /**
   * The regions of what is allowed, enclosing ones first.
   *
   * @param boundaries where access changes, enclosing ones first
   * @param atRoot whether it is allowed where no boundary is
   * @param allowed whether a boundary allows it
   */
  static List<Region> of(List<Boundary> boundaries, boolean atRoot, Predicate<Boundary> allowed) {
    List<Open> found = new ArrayList<>();
    Deque<Open> enclosing = new ArrayDeque<>();
    enclosing.push(new Open(UnixPath.ROOT, atRoot, new ArrayList<>()));
    found.add(enclosing.element());
    for (Boundary boundary : boundaries) {
      while (!boundary.path().startsWith(enclosing.element().path)) {
        enclosing.pop();
      }
      Open around = enclosing.element();
      boolean now = allowed.test(boundary);
      if (now == around.allowed) {
        continue;
      }
      if (boundary.path().equals(around.path)) {
        throw new IllegalArgumentException("two boundaries at " + around.path);
      }
      around.without.add(boundary.path());
      Open inner = new Open(boundary.path(), now, new ArrayList<>());
      enclosing.push(inner);
      found.add(inner);
    }
    List<Region> regions = new ArrayList<>();
    for (Open each : found) {
      if (each.allowed) {
        regions.add(new Region(each.path, each.without));
      }
    }
    return List.copyOf(regions);
  }
}
