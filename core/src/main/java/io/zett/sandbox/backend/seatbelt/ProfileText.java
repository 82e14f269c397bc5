package io.zett.sandbox.backend.seatbelt;

import java.util.ArrayList;
import java.util.List;

/** The text of a profile while it is written. It is given this package's own words alone. */
final class ProfileText {

  private final StringBuilder text = new StringBuilder();

  /** A rule that holds where any of the filters matches; without filters it holds always. */
  void rule(String head, List<String> filters) {
    text.append('(').append(head);
    for (String filter : filters) {
      text.append("\n  ").append(filter.replace("\n", "\n  "));
    }
    text.append(")\n");
  }

  /** Matches any of some filters, or always without any, but nothing that one of others matches. */
  static List<String> anyWithout(List<String> any, List<String> without) {
    if (without.isEmpty()) {
      return any;
    }
    List<String> parts = new ArrayList<>();
    if (!any.isEmpty()) {
      parts.add(any.size() == 1 ? any.getFirst() : nested("require-any", any));
    }
    for (String filter : without) {
      parts.add("(require-not " + filter + ")");
    }
    return List.of(parts.size() == 1 ? parts.getFirst() : nested("require-all", parts));
  }

  private static String nested(String word, List<String> filters) {
    StringBuilder nested = new StringBuilder("(").append(word);
    for (String filter : filters) {
      nested.append("\n  ").append(filter.replace("\n", "\n  "));
    }
    return nested.append(')').toString();
  }

  /** A line for people, after an empty one. */
  void comment(String line) {
    text.append("\n; ").append(line).append('\n');
  }

  /** A piece that is written already. */
  void piece(String piece) {
    text.append(text.isEmpty() ? "" : "\n").append(piece);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
