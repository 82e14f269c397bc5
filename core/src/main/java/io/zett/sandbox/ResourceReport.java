package io.zett.sandbox;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a sandbox of some policy enforces on this machine. Immutable; equal by content.
 *
 * @param backend what builds the sandbox: never {@link SandboxBackend#AUTO} where the platform has
 *     one, even if it cannot be used now
 * @param isolated whether commands are kept from the rest of the machine
 * @param limits every {@link Limit}, set by the policy or not, in the order of the enumeration
 */
public record ResourceReport(
    SandboxBackend backend, boolean isolated, Map<Limit, Enforcement> limits) {

  /**
   * Copies the map.
   *
   * @throws IllegalArgumentException if a limit is missing
   */
  public ResourceReport {
    Objects.requireNonNull(backend, "backend");
    EnumMap<Limit, Enforcement> copy = new EnumMap<>(Limit.class);
    for (Limit limit : Limit.values()) {
      Enforcement enforcement = limits.get(limit);
      if (enforcement == null) {
        throw new IllegalArgumentException("limits: nothing is said about " + limit.wireName());
      }
      copy.put(limit, enforcement);
    }
    limits = Collections.unmodifiableMap(copy);
  }

  /** How a limit is enforced. */
  public Enforcement enforcement(Limit limit) {
    return Objects.requireNonNull(limits.get(Objects.requireNonNull(limit, "limit")));
  }

  /** A table for people: the backend, then one line for each limit. Its layout may change. */
  @Override
  public String toString() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("limit", "level", "scope", "mechanism", "detail"));
    limits.forEach(
        (limit, how) -> {
          boolean none = how.level() == Enforcement.Level.NONE;
          rows.add(
              List.of(
                  limit.wireName(),
                  how.level().wireName(),
                  none ? "-" : how.scope().wireName(),
                  how.mechanism(),
                  how.detail()));
        });
    StringBuilder text = new StringBuilder("backend: ").append(backend.wireName());
    text.append(isolated ? " (isolated)" : " (NOT isolated)");
    for (List<String> row : rows) {
      text.append('\n').append(line(row, rows));
    }
    return text.toString();
  }

  private static String line(List<String> row, List<List<String>> rows) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < row.size(); column++) {
      int at = column;
      int width = rows.stream().mapToInt(other -> other.get(at).length()).max().orElse(0);
      String cell = row.get(column);
      line.append(cell).repeat(' ', width - cell.length() + 2);
    }
    return line.toString().stripTrailing();
  }
}
