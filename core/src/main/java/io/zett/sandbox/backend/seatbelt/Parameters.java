package io.zett.sandbox.backend.seatbelt;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The values that a profile names but does not hold. What a path is called never becomes text of
 * the profile, so that no path can add a rule to it. Not thread-safe.
 */
final class Parameters {

  private final Map<String, String> values = new LinkedHashMap<>();
  private final Map<String, String> names = new HashMap<>();
  private final Map<String, Integer> counts = new HashMap<>();

  /**
   * The name of a value, the same one for the same value.
   *
   * @param kind what a new name begins with: capital letters and underscores
   * @param value one character for each byte
   */
  String name(String kind, String value) {
    return names.computeIfAbsent(value, _ -> added(kind, value));
  }

  private String added(String kind, String value) {
    if (value.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("a NUL in a parameter of a profile");
    }
    String name = kind + "_" + (counts.merge(kind, 1, Integer::sum) - 1);
    values.put(name, value);
    return name;
  }

  /** All of them by name, in the order in which they were named. */
  Map<String, String> values() {
    return Collections.unmodifiableMap(values);
  }
}
