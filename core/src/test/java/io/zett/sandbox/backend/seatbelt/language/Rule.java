package io.zett.sandbox.backend.seatbelt.language;

import java.util.List;

/**
 * One operation of one rule.
 *
 * @param position where it stands in the profile
 * @param allows whether it allows
 * @param operation the operation; with a {@code *} at its end all that begin so
 * @param filters it matches where any of these does, and always without any
 */
record Rule(int position, boolean allows, String operation, List<Filter> filters) {

  Rule {
    filters = List.copyOf(filters);
  }

  boolean matches(Attempt attempt) {
    return isAbout(attempt.operation())
        && (filters.isEmpty() || filters.stream().anyMatch(filter -> filter.matches(attempt)));
  }

  private boolean isAbout(String wanted) {
    return operation.equals("default")
        || operation.equals(wanted)
        || operation.endsWith("*") && wanted.startsWith(stem());
  }

  private String stem() {
    return operation.substring(0, operation.length() - 1);
  }

  /** How exactly it names the operation. */
  int exactness() {
    return operation.equals("default")
        ? 0
        : operation.endsWith("*") ? stem().length() : Integer.MAX_VALUE;
  }

  /** How narrow its filters are. */
  int narrowness() {
    if (filters.isEmpty()) {
      return operation.equals("default") ? 0 : 1;
    }
    if (!allows && filters.stream().anyMatch(Filter.Literal.class::isInstance)) {
      return 4;
    }
    return filters.stream().anyMatch(Filter.All.class::isInstance) ? 3 : 2;
  }
}
