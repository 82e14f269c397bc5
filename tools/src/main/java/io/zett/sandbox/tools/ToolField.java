package io.zett.sandbox.tools;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A parameter of a tool, or a field of its result.
 *
 * @param name as in JSON
 * @param type its type
 * @param required whether a parameter must be given; of a result, whether it is never null
 * @param description what a model has to know about it
 * @param fields of an object, or of each object of a list; else empty
 */
public record ToolField(
    String name, ToolType type, boolean required, String description, List<ToolField> fields) {

  /** Copies the list. */
  public ToolField {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(description, "description");
    fields = List.copyOf(fields);
  }

  static ToolField required(String name, ToolType type, String description) {
    return new ToolField(name, type, true, description, List.of());
  }

  static ToolField optional(String name, ToolType type, String description) {
    return new ToolField(name, type, false, description, List.of());
  }

  static ToolField of(String name, ToolType type, String description, List<ToolField> fields) {
    return new ToolField(name, type, true, description, fields);
  }

  /**
   * JSON Schema of an object with these fields, as maps, lists, texts and booleans.
   *
   * @param nullable whether a field that is not required can be null instead of absent
   */
  static Map<String, Object> schema(List<ToolField> fields, boolean nullable) {
    Map<String, Object> properties = new LinkedHashMap<>();
    List<String> required = new ArrayList<>();
    for (ToolField field : fields) {
      properties.put(field.name(), field.schema(nullable && !field.required()));
      if (field.required() || nullable) {
        required.add(field.name());
      }
    }
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("type", "object");
    schema.put("properties", properties);
    schema.put("required", required);
    schema.put("additionalProperties", false);
    return schema;
  }

  private Map<String, Object> schema(boolean orNull) {
    Map<String, Object> schema =
        type == ToolType.OBJECT ? schema(fields, true) : new LinkedHashMap<>();
    schema.put("type", orNull ? List.of(type.schemaType(), "null") : type.schemaType());
    schema.put("description", description);
    if (type == ToolType.STRING_ARRAY) {
      schema.put("items", Map.of("type", "string"));
    } else if (type == ToolType.OBJECT_ARRAY) {
      schema.put("items", schema(fields, true));
    }
    return schema;
  }
}
