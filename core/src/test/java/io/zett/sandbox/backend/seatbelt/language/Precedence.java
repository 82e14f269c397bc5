package io.zett.sandbox.backend.seatbelt.language;

import java.util.Comparator;

/**
 * Which of several rules that match counts. Public descriptions agree on the last, and reports from
 * practice contradict them; what is to hold on a Mac must hold under each.
 */
public enum Precedence {
  /** The last one. */
  LAST(Comparator.comparingInt(Rule::position)),

  /**
   * The one that names the operation most exactly: "a later allow of file-write* does not override
   * a denial of file-write-unlink". Among equals the last.
   */
  NARROWEST_OPERATION(Comparator.comparingInt(Rule::exactness).thenComparingInt(Rule::position)),

  /**
   * A condition made of several beats a tree, and a denial by a literal beats all: "an allow with
   * require-all beats a plain subpath deny, a literal deny wins". Among equals the last.
   */
  NARROWEST_FILTER(Comparator.comparingInt(Rule::narrowness).thenComparingInt(Rule::position));

  private final Comparator<Rule> order;

  Precedence(Comparator<Rule> order) {
    this.order = order;
  }

  /** Sorts by weight, the one that counts last. */
  Comparator<Rule> order() {
    return order;
  }
}
