package io.zett.sandbox.policyfile;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The JSON schema of policy files, made from the table of their keys. */
final class SchemaText {
  private static final long MOST_BYTES = 1L << 60;
  private static final String SIZE =
      "^ *([0-9]+([.][0-9]*)?|[.][0-9]+) *([KMGTPEkmgtpe]([Ii]?[Bb]?)|[Bb])? *$";

  private SchemaText() {}

  static String text() {
    Map<String, Object> properties = new LinkedHashMap<>();
    for (Key key : Key.values()) {
      Map<String, Object> property = new LinkedHashMap<>();
      property.put("description", key.text());
      property.putAll(schema(key.kind()));
      properties.put(key.spelling(), property);
    }
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.put("title", "Zett Sandbox policy");
    schema.put("description", "What commands may do and use: the options of SandboxPolicy.");
    schema.put("type", List.of("object", "null"));
    schema.put("properties", properties);
    schema.put("additionalProperties", false);
    return json(schema, "") + "\n";
  }

  private static Map<String, Object> schema(Kind kind) {
    return switch (kind) {
      case Kind.Size size ->
          oneOf(
              ordered("type", "integer", "minimum", size.least(), "maximum", MOST_BYTES),
              ordered("type", "string", "pattern", SIZE));
      case Kind.Cores _ -> ordered("type", "number", "minimum", 0.01, "maximum", 8192);
      case Kind.Count count ->
          ordered("type", "integer", "minimum", count.least(), "maximum", count.most());
      case Kind.Truth _ -> ordered("type", "boolean");
      case Kind.Choice choice -> ordered("enum", choice.words());
      case Kind.TruthOrChoice either -> oneOf(schema(either.truth()), schema(either.choice()));
      case Kind.Paths _ ->
          ordered("type", "array", "items", ordered("type", "string", "minLength", 1));
      case Kind.Variables _ ->
          ordered(
              "type",
              "object",
              "propertyNames",
              ordered("pattern", "^[^=]+$"),
              "additionalProperties",
              ordered("type", List.of("string", "number", "boolean")));
      case Kind.Seconds _ ->
          oneOf(
              ordered("type", "number", "exclusiveMinimum", 0),
              ordered("const", Kind.Seconds.NONE));
    };
  }

  private static Map<String, Object> oneOf(Object... choices) {
    return ordered("oneOf", List.of(choices));
  }

  private static Map<String, Object> ordered(Object... members) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < members.length; i += 2) {
      map.put((String) members[i], members[i + 1]);
    }
    return map;
  }

  private static String json(Object value, String indent) {
    String inner = indent + "  ";
    return switch (value) {
      case Map<?, ?> map -> {
        List<String> members = new ArrayList<>();
        map.forEach(
            (name, member) -> members.add(inner + quoted(name) + ": " + json(member, inner)));
        yield "{\n" + String.join(",\n", members) + "\n" + indent + "}";
      }
      case List<?> list ->
          list.stream().map(item -> json(item, indent)).collect(Collectors.joining(", ", "[", "]"));
      case String text -> quoted(text);
      default -> value.toString();
    };
  }

  private static String quoted(Object text) {
    return "\"" + text.toString().replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }
}
