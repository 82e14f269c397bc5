package io.zett.sandbox.tools;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds a result's map, whose values can be null. */
final class Fields {
  private final Map<String, @Nullable Object> map = new LinkedHashMap<>();

  Fields put(String name, @Nullable Object value) {
    map.put(name, value);
    return this;
  }

  @SuppressWarnings("NullAway") // Unknown values are null, as the schema says.
  Map<String, Object> map() {
    return Collections.unmodifiableMap(map);
  }
}
