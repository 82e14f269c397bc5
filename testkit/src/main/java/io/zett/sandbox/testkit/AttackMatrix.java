package io.zett.sandbox.testkit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Attack by environment: how each went where. Written as Markdown, which can be read back, so that
 * one environment can renew its own column. Immutable.
 */
public final class AttackMatrix {

  private static final String HEAD =
      """
      # Attacks

      Every line is something that a hostile command tries. The list is written by the attack suite
      (`testkit`), do not edit it: `mvn -pl core,testkit test -Dzett.attacks.write=true` renews the column
      of the user who runs it, and a test fails while it does not hold what the suite finds.

      | result | meaning |
      |---|---|
      | refused | it works on this machine without the sandbox, and did not work inside |
      | refused, unproven | it did not work inside; it has no form that could be run harmlessly outside |
      | passed | it got past a limit that `zett doctor` reports as partial on this machine |
      | skipped | it did not work inside, but neither does it outside, so that it shows nothing here |

      """;

  private record Column(String machine, Map<String, String> results) {}

  private final Map<String, Column> columns;

  private AttackMatrix(Map<String, Column> columns) {
    this.columns = columns;
  }

  /** One without columns. */
  public static AttackMatrix empty() {
    return new AttackMatrix(Map.of());
  }

  /** What {@link #toMarkdown()} has written. */
  public static AttackMatrix parse(String markdown) {
    Map<String, Column> columns = new LinkedHashMap<>();
    List<String> names = new ArrayList<>();
    for (String line : markdown.lines().toList()) {
      String[] cells = line.split(" *\\| *", -1);
      if (line.startsWith("| as ")) {
        names.add(cells[1].substring("as ".length()));
        columns.put(names.getLast(), new Column(cells[2], new LinkedHashMap<>()));
      } else if (line.startsWith("| cannot ")) {
        for (int i = 0; i < names.size(); i++) {
          Objects.requireNonNull(columns.get(names.get(i))).results.put(cells[1], cells[3 + i]);
        }
      }
    }
    return new AttackMatrix(columns);
  }

  /**
   * The same with one column made anew.
   *
   * @param environment its heading, as "root"
   * @param machine what else the results depend on
   */
  public AttackMatrix with(String environment, String machine, List<Finding> findings) {
    Map<String, Column> all = new LinkedHashMap<>(columns);
    Map<String, String> results = new LinkedHashMap<>();
    for (Finding finding : findings) {
      results.put(finding.attack().name(), finding.text());
    }
    all.put(environment, new Column(machine, results));
    return new AttackMatrix(all);
  }

  /** What a column's results depend on; null without such a column. */
  public @Nullable String machine(String environment) {
    Column column = columns.get(environment);
    return column == null ? null : column.machine;
  }

  /** The whole of it. */
  public String toMarkdown() {
    StringBuilder text = new StringBuilder(HEAD);
    text.append("| environment | machine | refused | unproven | skipped | passed | worked |\n");
    text.append("|---|---|---|---|---|---|---|\n");
    columns.forEach(
        (name, column) -> {
          text.append("| as ").append(name).append(" | ").append(column.machine);
          for (String result :
              List.of("refused", "refused, unproven", "skipped: ", "passed: ", "WORKED: ")) {
            text.append(" | ").append(count(column, result));
          }
          text.append(" |\n");
        });
    for (Kind kind : Kind.values()) {
      text.append("\n## ").append(kind.title()).append("\n\n| a command | what is promised |");
      columns.keySet().forEach(name -> text.append(' ').append(name).append(" |"));
      text.append("\n|---|---|").append("---|".repeat(columns.size())).append('\n');
      for (Attack attack : AttackSuite.attacks()) {
        if (attack.kind() == kind) {
          row(text, attack);
        }
      }
    }
    return text.toString();
  }

  private void row(StringBuilder text, Attack attack) {
    text.append("| ").append(attack.name()).append(" | ").append(attack.claim().text());
    for (Column column : columns.values()) {
      text.append(" | ").append(column.results.getOrDefault(attack.name(), "not run"));
    }
    text.append(" |\n");
  }

  private static long count(Column column, String result) {
    return column.results.values().stream()
        .filter(each -> result.endsWith(": ") ? each.startsWith(result) : each.equals(result))
        .count();
  }
}
